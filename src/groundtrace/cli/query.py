"""``groundtrace query``: named questions and SPARQL of one's own."""

from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from groundtrace.cli.messages import say
from groundtrace.cli.options import Out, suffix_of, terminal
from groundtrace.cli.source_options import SourceOptions
from groundtrace.errors import InputError

if TYPE_CHECKING:
    from groundtrace.knowledge.ask.answering import Answer, Request


class Format(StrEnum):
    """How answers are written."""

    text = "text"
    csv = "csv"
    tsv = "tsv"
    json = "json"
    xml = "xml"
    ttl = "ttl"
    nt = "nt"
    rdf = "rdf"
    xlsx = "xlsx"
    jsonld = "jsonld"


ASKED_FIRST = " (the question comes first, then files, or --store DIR)"
MEDIA_TYPES = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "json": "application/sparql-results+json",
    "xml": "application/sparql-results+xml",
}
FORMATS = tuple(format_.value for format_ in Format if format_ is not Format.text)


def query_command(
    sources: SourceOptions,
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[QUESTION] [FILE...]",
            help="The name of a question (see --list), then what is asked: RDF (.trig, .nq, .ttl, "
            ".jsonld) or records (.json, .jsonl), unless --store or --endpoint says.",
        ),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the questions, and stop.")] = False,
    show: Annotated[
        str | None,
        typer.Option(metavar="QUESTION", help="Print the SPARQL of a question, and stop."),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A parameter of the question; repeatable."),
    ] = None,
    text: Annotated[
        str | None, typer.Option(metavar="SPARQL", help="Ask this instead of a named question.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE.rq", help="Ask what stands in a file instead.")
    ] = None,
    format: Annotated[  # noqa: A002
        Format | None,
        typer.Option(
            help="Output format; text unless --out has another ending. csv, tsv, json and xml for "
            "rows, as SPARQL defines them: texts stand as they are, also where a spreadsheet would "
            "run them; xlsx for spreadsheets; ttl, nt, rdf and jsonld for what CONSTRUCT makes."
        ),
    ] = None,
    out: Out = None,
) -> None:
    """Ask a knowledge base: a question by name, or SPARQL of your own, which can only read.

    Example: groundtrace query --text 'ASK { ?trace gt:domain "clinical" }' data/clinical.json
    """
    from groundtrace.files.writing import output_file
    from groundtrace.knowledge.ask.asker import Asker
    from groundtrace.knowledge.ask.hints import hints

    if list_ or show is not None:
        with output_file(out) as output:
            output.write(_question_list(show))
        return
    request, inputs = _request(arguments or [], param or [], text, file, sources.limit)
    chosen = format or _format_of(out)
    with output_file(out) as output, Asker(sources.source(inputs)) as asker:
        answer = asker.ask(request, sources.time_limit)
        if chosen is Format.xlsx:
            _write_workbook(answer, output)
        else:
            output.write(_answer_text(answer, chosen, out))
        if not answer.rows and answer.truth is None:
            for hint in hints(asker, request):
                say(f"groundtrace: {hint}")
    if answer.more:
        say(f"groundtrace: only the first {sources.limit:,} rows; there are more (--limit)")


def _format_of(out: Path | None) -> Format:
    """Return the format that a file's name asks for.

    Raises:
        InputError: it asks for one that does not exist.
    """
    suffix = suffix_of(out, FORMATS)
    if suffix is None and out is not None and out.suffix not in ("", ".txt"):
        known = ", ".join(f".{name}" for name in FORMATS)
        raise InputError(f"{out}: expected a name with {known} or .txt, or --format")
    return Format(suffix or "text")


def _question_list(show: str | None) -> str:
    """Return the questions with what they answer, or the text of one."""
    from groundtrace.knowledge.ask.questions import our_questions, question_named

    questions = our_questions()
    if show is not None:
        return question_named(show, questions).query
    lines = []
    for question in questions:
        answers = question.answers[:1].upper() + question.answers[1:]
        lines += [question.name, f"  {question.title}. {answers}"]
        lines += [f"  --param {one.name}=… ({one.sort}) {one.about}" for one in question.parameters]
    return "".join(f"{line}\n" for line in lines)


def _request(
    arguments: list[str], params: list[str], text: str | None, file: Path | None, limit: int
) -> "tuple[Request, list[str]]":
    """Return what is asked, and the files that are asked.

    Raises:
        InputError: nothing is asked, or more than one thing.
    """
    from groundtrace.knowledge.ask.answering import Request
    from groundtrace.knowledge.ask.questions import (
        bound,
        our_questions,
        question_named,
        read_question,
    )

    values: dict[str, str] = {}
    for name, value in map(_param, params):
        if name in values:
            raise InputError(f"--param {name}: given twice")
        values[name] = value
    if text is not None and file is not None:
        raise InputError("--text and --file: expected one of them")
    if arguments and arguments[0] in {one.name for one in our_questions()} and (text or file):
        raise InputError(f"{arguments[0]} and --text or --file: expected one question")
    if text is not None:
        if values:
            raise InputError("--param goes with a named question or a file, not with --text")
        return Request(text, most_rows=limit), arguments
    if file is not None:
        return Request(bound(read_question(file), values), most_rows=limit), arguments
    if not arguments:
        raise InputError("expected a question's name (--list), --text SPARQL or --file FILE.rq")
    question = question_named(arguments[0], our_questions(), ASKED_FIRST)
    return Request(bound(question, values), trusted=True, most_rows=limit), arguments[1:]


def _param(setting: str) -> tuple[str, str]:
    """Return the name and value of a parameter.

    Raises:
        InputError: there is no "=".
    """
    name, equals, value = setting.partition("=")
    if not equals:
        raise InputError(f"--param: expected NAME=VALUE, got {setting!r}")
    return name.strip(), value


def _write_workbook(answer: "Answer", file: IO[str]) -> None:
    """Write an answer as a workbook.

    Args:
        file: What is below it takes the bytes.
    """
    from groundtrace.files.tables import write_frame
    from groundtrace.knowledge.ask.tables import frame

    below: Any = file
    file.flush()
    for remark in write_frame(lambda: frame(answer).convert_dtypes(), "xlsx", below.buffer):
        say(f"groundtrace: {remark}")


def _answer_text(answer: "Answer", format: Format, out: Path | None) -> str:  # noqa: A002
    """Return an answer as text.

    Raises:
        InputError: the format does not suit it.
    """
    from groundtrace.knowledge.ask.results import ROW_WRITERS, triples_written
    from groundtrace.knowledge.ask.tables import answer_text
    from groundtrace.knowledge.rdf.formats import FORMATS as RDF_FORMATS

    if format is Format.text:
        return answer_text(answer, **terminal(out))
    if (format.value in MEDIA_TYPES) == (answer.form == "triples"):
        made = "triples: ttl, nt, rdf or jsonld" if answer.form == "triples" else "rows"
        raise InputError(f"--format {format.value}: the query makes {made}")
    if format.value in MEDIA_TYPES:
        return ROW_WRITERS[MEDIA_TYPES[format.value]](answer)
    return triples_written(answer, RDF_FORMATS[format.value]).decode()
