"""Read a user's rule file, or say why it cannot be read."""

from pathlib import Path

from groundtrace.rules.clingo_texts import BYTE_ORDER_MARK
from groundtrace.rules.judge import words_of_slips
from groundtrace.rules.judge.fault import Fault, Said, fault, file_fault
from groundtrace.rules.text.words import Source

MAX_BYTES = 1_000_000

_WIDE = (b"\xff\xfe", b"\xfe\xff")


def read_source(path: str | Path, *, plain: bool = True) -> "Source | Fault":
    """Return the text of a rule file, or what makes it unreadable.

    A byte order mark is no part of the text.

    Args:
        plain: Whether characters that no text holds are refused; U+0000 always is.
    """
    name = str(path)
    content = _content(Path(path))
    if isinstance(content, Said):
        return file_fault(name, content)
    try:
        whole = content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        source = Source(name, content.decode("utf-8", errors="replace"))
        return fault(source, len(before), _coding(content))
    text = whole.removeprefix(BYTE_ORDER_MARK)
    source = Source(name, text, whole)
    for place, one in enumerate(text):
        if not plain and one != "\0":
            continue
        if (one < " " and one not in "\t\n\r") or one == "\x7f":
            said = _coding(content) if one == "\0" and content.count(0) > len(content) // 4 else (
                words_of_slips.control_sign(f"U+{ord(one):04X}"))  # fmt: skip
            return fault(source, place, said)
        if one == "\r" and text[place + 1 : place + 2] != "\n":
            return fault(source, place, words_of_slips.old_line_end())
    return source


def _content(path: Path) -> bytes | Said:
    try:
        if path.is_dir():
            return Said("unreadable", "this is a folder, no rule file", "name the files in it")
        if path.exists() and not path.is_file():
            # A pipe could be read only once, and keep us waiting for ever.
            return Said("unreadable", "this is no ordinary file", None)
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return Said("unreadable", f"cannot read rule file: {reason}", None)
    if len(content) > MAX_BYTES:
        return Said("too_large", f"the file is larger than {MAX_BYTES:,} bytes", None)
    return content


def _coding(content: bytes) -> Said:
    if content.startswith(_WIDE) or content.count(0) > len(content) // 4:
        return Said("coding", "the file is not UTF-8 text, but seems to be UTF-16",
                    'save it as "UTF-8"')  # fmt: skip
    return Said("coding", "the file is not UTF-8 text", 'save it as plain text, "UTF-8"')
