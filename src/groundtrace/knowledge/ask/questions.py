"""Named questions: files of SPARQL with a header that says what they answer.

A parameter has a slot, ``VALUES ?name { UNDEF }``. As it stands it means any value, and the file
runs on any SPARQL 1.1 engine; to bind it, an RDF term, written by the RDF library, takes the place
of UNDEF.
"""

import difflib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal as OneOf
from typing import NamedTuple, get_args

from pyoxigraph import Literal, NamedNode

from groundtrace.errors import InputError
from groundtrace.knowledge.ontology_files import ontology_directory
from groundtrace.knowledge.rdf.terms import PREFIXES

Sort = OneOf["text", "number", "iri"]
SORTS: tuple[Sort, ...] = get_args(Sort)

_KEY = re.compile(r"#\s?(Title|Answers|Parameter|Example|Severity):\s*(.*)")
_SLOT = re.compile(r"VALUES \?(\w+) \{ UNDEF \}")
_PARAMETER = re.compile(r"(\w+) \((\w+)\): (.+)", re.DOTALL)


class Parameter(NamedTuple):
    """What can be given to a question."""

    name: str
    sort: Sort
    about: str
    """One line."""


class Question(NamedTuple):
    """A question, as its file asks it."""

    name: str
    """Of the file, without its ending."""
    path: Path
    title: str
    answers: str
    """What comes out, in words."""
    parameters: tuple[Parameter, ...]
    example: str
    """One row of an answer."""
    query: str
    """In SPARQL, header included."""


def read_question(path: Path) -> Question:
    """Return the question that a file asks.

    Args:
        path: Of a file in SPARQL with a header.

    Raises:
        InputError: it cannot be read, or a parameter is described in another way.
    """
    try:
        query = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not valid UTF-8") from None
    header = _header(query)
    parameters = []
    for told in header.get("Parameter", []):
        match = _PARAMETER.fullmatch(told)
        sort = next((sort for sort in SORTS if match and match[2] == sort), None)
        if match is None or sort is None:
            raise InputError(f"{path}: expected '# Parameter: NAME (text|number|iri): WORDS'")
        parameters.append(Parameter(match[1], sort, match[3]))
    title, answers, example = (
        " ".join(header.get(key, [])) for key in ("Title", "Answers", "Example")
    )
    return Question(path.stem, path, title, answers, tuple(parameters), example, query)


def _header(query: str) -> dict[str, list[str]]:
    """Return what the comments at the top say, by key; further lines are indented."""
    found: dict[str, list[str]] = {}
    values: list[str] | None = None
    for line in query.splitlines():
        if not line.startswith("#"):
            break
        key = _KEY.fullmatch(line)
        if key:
            values = found.setdefault(key[1], [])
            values.append(key[2])
        elif values and line.startswith("#  "):
            values[-1] += f" {line[1:].strip()}"
    return found


@lru_cache(maxsize=16)
def questions_in(folder: Path) -> tuple[Question, ...]:
    """Return the questions of a folder, by name.

    Args:
        folder: With files of SPARQL.

    Raises:
        InputError: there is no such folder, or no question in it, or one cannot be read.
    """
    files = sorted(folder.glob("*.rq"))
    if not files:
        raise InputError(f"{folder}: expected a folder with files of SPARQL (.rq)")
    return tuple(read_question(path) for path in files)


def our_questions() -> tuple[Question, ...]:
    """Return the questions that come with groundtrace, by name."""
    return questions_in(ontology_directory() / "queries")


def question_named(
    name: str, questions: Sequence[Question], advice: str = "", thing: str = "question"
) -> Question:
    """Return the question of a name.

    Args:
        name: Of a file, without its ending.
        advice: What to add if there is none.
        thing: What messages call it.

    Raises:
        InputError: there is none.
    """
    for question in questions:
        if question.name == name:
            return question
    names = [question.name for question in questions]
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(names)}"
    raise InputError(f"there is no {thing} {name!r}; {hint}{advice}")


def bound(question: Question, values: Mapping[str, str]) -> str:
    """Return the text of a question with values for its parameters.

    Args:
        question: With a slot for each parameter.
        values: Parameter name to value, as a user writes it.

    Raises:
        InputError: there is no such parameter, or its value is of another sort.
    """
    query = question.query
    known = {parameter.name: parameter for parameter in question.parameters}
    terms: dict[str, str] = {}
    for name, value in values.items():
        if name not in known:
            listed = f"known are {', '.join(known)}" if known else "it has none"
            if f"?{name} {{" in query:
                listed = f"describe it in the file: # Parameter: {name} (text): what it is"
            raise InputError(f"{question.name}: there is no parameter {name!r}; {listed}")
        if query.count(f"VALUES ?{name} {{ UNDEF }}") != 1:
            raise InputError(
                f"{question.path}: expected one line VALUES ?{name} {{ UNDEF }} for the parameter"
            )
        terms[name] = _term(question.name, known[name], value)
    # All at once: a value may look like the slot of another parameter.
    return _SLOT.sub(lambda slot: _filled(slot, terms), query)


def _filled(slot: re.Match[str], terms: Mapping[str, str]) -> str:
    term = terms.get(slot[1])
    return slot[0] if term is None else f"VALUES ?{slot[1]} {{ {term} }}"


def _term(question: str, parameter: Parameter, value: str) -> str:
    """Return a value as an RDF term in SPARQL.

    Raises:
        InputError: the value is of another sort.
    """
    place = f"{question}: parameter {parameter.name}"
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(f"{place}: expected Unicode text") from None
    if parameter.sort == "text":
        return str(Literal(value))
    if parameter.sort == "number":
        if not re.fullmatch(r"-?[0-9]{1,18}", value.strip()):
            raise InputError(f"{place}: expected a whole number, got {value!r}")
        return str(Literal(int(value)))
    prefix, colon, name = value.partition(":")
    spelled = f"{PREFIXES[prefix]}{name}" if colon and prefix in PREFIXES else value
    try:
        return str(NamedNode(spelled))
    except ValueError:
        raise InputError(f"{place}: expected an IRI, got {value!r}") from None
