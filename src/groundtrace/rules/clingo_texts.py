"""What clingo is given to read, and what it says of it.

clingo skips no byte order mark, counts columns in bytes, and cuts its messages inside of a
character: all of that is mended here, so that others see texts and columns of characters.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import clingo.core
from clingo.ast import AST, parse_files, parse_string

from groundtrace.errors import Complaint
from groundtrace.phrases import nearest
from groundtrace.rules.judge import words_of_trial
from groundtrace.vocabulary import EXTENSION_POINTS, INPUT_PREDICATES, SHOWN_PREDICATES

BYTE_ORDER_MARK = "\ufeff"

_MESSAGE = re.compile(
    r"(?P<file>.*?):(?P<line>\d+):(?P<column>\d+)(?:-[\d:]+)?: (?:error|warning|info): "
    r"(?P<text>.*)",
    re.DOTALL,
)
_INTERNAL = re.compile(r";?\[#inc_base\]|#P\d+|#X\d+")
_UNSAFE = re.compile(r"^(.*?):(\d+):(\d+)(?:-[\d:]+)?: note: '(.+)' is unsafe$", re.MULTILINE)
_PUBLIC = frozenset[str]().union(
    *INPUT_PREDICATES.values(), *EXTENSION_POINTS.values(), *SHOWN_PREDICATES.values()
)


def _text_of_message(message: Any) -> str:
    return bytes(clingo.core._ffi.string(message)).decode(errors="replace")  # type: ignore[attr-defined]


# clingo cuts messages between the bytes of a character; its own reader of them would end this
# process, since no exception may leave a logger.
clingo.core._to_str = _text_of_message  # type: ignore[assignment, attr-defined]


def parse_text(text: str, keep: Callable[[AST], None]) -> list[str]:
    """Hand every statement of a text over, and return what clingo says of it.

    Args:
        keep: Called once per statement.
    """
    messages: list[str] = []
    try:
        parse_string(text, keep, logger=lambda code, message: messages.append(message))
    except RuntimeError as error:
        messages = messages or [str(error)]
    return messages


def statements_in_file(path: Path) -> Iterable[AST]:
    """Return the statements of a file that clingo accepts, without those that it includes."""
    found: list[AST] = []
    text = path.read_text(encoding="utf-8")
    if text.startswith(BYTE_ORDER_MARK):
        parse_text(text.removeprefix(BYTE_ORDER_MARK), found.append)
        return found
    parse_files([str(path)], found.append)
    return [node for node in found if node.location.begin.filename == str(path)]


def column_in_characters(line: str, column: int) -> int:
    """Return the column, from 1, of what clingo counts in bytes.

    Args:
        column: In bytes of UTF-8, from 1.
    """
    return len(line.encode()[: column - 1].decode(errors="ignore")) + 1


def complaint_of(message: str, text: str | None = None) -> Complaint:
    """Return a message of clingo as a complaint, in words and without its inner names.

    Args:
        message: As clingo gives it to its logger.
        text: That it is about; None to look into the file that it names.
    """
    match = _MESSAGE.match(message.strip())
    place = _place(match["file"], match["line"], match["column"], text) if match else ""
    said = match["text"] if match else message
    kind, _, about = (" ".join(part.split()) for part in said.partition(":\n"))
    about = _INTERNAL.sub("", about)
    unsafe = _UNSAFE.findall(said)
    if unsafe:
        # clingo names them by the alphabet.
        unsafe.sort(key=lambda found: (int(found[1]), int(found[2])))
        names = tuple(dict.fromkeys(found[3] for found in unsafe))
        file, line, column, _ = unsafe[0]
        shown = words_of_trial.unsafe(names, None).text
        return Complaint(_place(file, line, column, text), shown, "unsafe", names)
    if kind == "atom does not occur in any rule head":
        near = nearest(about.partition("(")[0], _PUBLIC)
        return Complaint(place, words_of_trial.undefined_atom(about, near), "undefined", (about,))
    if kind == "operation undefined":
        shown = words_of_trial.operation_undefined(about).text
        return Complaint(place, shown, "operation_undefined", (about,))
    return Complaint(place, f"{kind}: {about}" if about else kind)


def _place(file: str, line: str, column: str, text: str | None) -> str:
    """Return a place of clingo with its column in characters."""
    if text is None:
        try:
            text = Path(file).read_text(encoding="utf-8", errors="replace")
        except (OSError, ValueError):
            text = ""
    lines = text.removeprefix(BYTE_ORDER_MARK).split("\n")
    found = lines[int(line) - 1] if int(line) <= len(lines) else ""
    return f"{file}:{line}:{column_in_characters(found, int(column)) if found else column}"
