"""Where an answer gives its label: alone on a line, after "label:", boxed, or in a sentence."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundtrace.labelling.answer_words import DOUBTS, ENDS, GROUNDS, KEYS, LEADS, LINKS, REASONS
from groundtrace.labelling.mentions import LIST, WORDS, label_of
from groundtrace.labelling.plain_answers import CLOSE, OPEN
from groundtrace.vocabulary import Label


def _any_of(words: Sequence[str]) -> str:
    normal = (unicodedata.normalize("NFKC", word) for word in words)
    return "|".join(sorted(map(re.escape, normal), key=len, reverse=True))


_LETTER = r"[A-Za-zÀ-ɏЀ-ӿ]"
_KEY = rf"(?:{_any_of(KEYS)})"
_LEADS = rf"(?<!\w)(?:{_any_of(LEADS)})(?!{_LETTER})"
_LEAD = rf"(?:(?:{_any_of(LEADS)})(?!{_LETTER})[\s,.:'{LIST}]*)*"
_LINK = rf"(?:(?<=\W)(?:{_any_of(LINKS)})(?=\W)|[是為为은는は])"
_SIGN = rf"(?:[\s:=|>({LIST}),\"–—-]|→|⇒|->)"  # noqa: RUF001
_LABEL = rf"(?<!{_LETTER})(?P<label>{WORDS}|[A-Z])"
_GLOSS = rf"(?:[\s()\[\],:=/–—-]{{1,5}}(?:{WORDS}|[EINC]))?[)\]\s]*"  # noqa: RUF001
_END = rf"\s*(?:{_any_of(ENDS)})?"
_VERB = (
    r"(?:choose|pick|select|go with|going with|answer with|conclude|settle on"
    r"|(?:classify|label|mark|rate) (?:this|it|the)(?: \w+){0,3} as)"
)

_LINE = re.compile(
    rf"(?:(?P<key>{_LEAD}{_KEY}(?:\s*{_LINK})*)(?P<sign>{_SIGN}*))?{_LABEL}{_GLOSS}{_END}",
    re.IGNORECASE,
)
_BARE_KEY = re.compile(rf"{_LEAD}{_KEY}(?:\s*{_LINK})*{_SIGN}*", re.IGNORECASE)
_OTHER_VALUE = re.compile(
    rf"{_LEAD}{_KEY}(?:\s{_LINK})*\s*[:=]\s*(?P<value>\w+|\?+)", re.IGNORECASE
)
_SENTENCE = re.compile(
    rf"(?:(?:\A|[,;:]\s*|{_LEADS}[\s,.:']*)(?P<key>{_KEY})(?:\s*{_LINK}|\s*[:=–—-])+{_SIGN}*"  # noqa: RUF001
    rf"|(?<!\w)(?:I|I'd|I'll) (?:\w+ )?{_VERB}{_SIGN}+)"
    rf"{_LABEL}{_GLOSS}{_END}(?:\Z|,? ?(?:because|since) )",
    re.IGNORECASE,
)
_ENCLOSED = re.compile(rf"{OPEN}\s*{_LABEL}{_GLOSS}{CLOSE}", re.IGNORECASE)
_DOUBT = re.compile(rf"(?<!\w)(?:{_any_of(DOUBTS)})(?!\w)|n't\b|不|没|沒|ない", re.IGNORECASE)
_PREFACE = re.compile(
    rf"(?:(?:(?:.*(?:\W|(?<=[^\x00-\u02ff])))?(?:{_any_of(REASONS)})|(?:{_any_of(GROUNDS)})\s.*[,:]"
    rf"|(?:(?:{_any_of(GROUNDS)})\s.*,\s*)?(?:I|we) (?:\w+ )?(?:think|believe|conclude|find|say)"
    rf"(?: that)?)(?=\W|\Z|[^\x00-\u02ff]))?[\s,:]*{_LEAD}(?:{_KEY}[\s:]*)?",
    re.IGNORECASE | re.DOTALL,
)
"""What may stand before a label in its sentence; all else may be a condition or hearsay."""
_INVERTED = re.compile(r"\s*(?:were|had|should|do|did|would)\s", re.IGNORECASE)
"""Starts a condition without "if": "Had he smoked, ..."."""
_INDIRECT = re.compile(
    r"(?<!\w)(?:possible|should|would|write|writes|like|look|looks|such as|everything|anything|all"
    r"|but|world|allege\w*|friend|colleague|others?|someone|rejected|excluded)(?!\w)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？।؟])\s+|(?<=[。！？])")  # noqa: RUF001
_EDGE = " \t\r\n.,;:*'\"#|<>=+()[]$·•‣。、،؛।…–—→⇒➡✅☑✔✓🎯\ufe0f-" + OPEN + CLOSE + LIST  # noqa: RUF001
"""What may stand around a line; no "!" before it and no "?" at all: these say something."""
_LONGEST = 300
"""Characters of a line or sentence that gives a label."""


class Statement(NamedTuple):
    """A place where an answer gives its label."""

    start: int
    """Where its line starts."""
    label: Label | None
    """None if it gives something that is no label."""


class _Line(NamedTuple):
    start: int
    text: str
    """Without what decorates it."""


def statements_in(text: str) -> Iterator[Statement]:
    """Yield where a plain text gives a label, or something else in its place."""
    lines = _join([line for line in _lines(text) if line.text])
    for line in lines:
        at_the_edge = line in (lines[0], lines[-1])
        short = line.text if len(line.text) <= _LONGEST else ""
        found = _LINE.fullmatch(short)
        if found:
            if found["key"] or at_the_edge:
                yield Statement(line.start, label_of(found["label"]))
            continue
        other = _OTHER_VALUE.fullmatch(short)
        if other:
            yield Statement(line.start, None)
        elif at_the_edge:
            yield from _in_sentences(line)
    for enclosed in _ENCLOSED.finditer(text):
        yield Statement(enclosed.start(), label_of(enclosed["label"]))


def is_doubtful_lead(before: str) -> bool:
    """Say whether the line that leads to a label, if one does, says that it may not hold."""
    last = before.rstrip().rsplit("\n", 1)[-1][-_LONGEST:]
    if not last or last[-1] in ".!?。":
        return False
    return bool(_DOUBT.search(last) or _INVERTED.match(last) or _INDIRECT.search(last))


def _bare(line: str) -> str:
    # "C++" and "C#" are no letters.
    bare = line.lstrip(_EDGE).rstrip(_EDGE + "!")
    return line.strip() if re.match(r"[+#]", line.lstrip(_EDGE)[len(bare) :]) else bare


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield _Line(start, _bare(line))
        start += len(line)


def _join(lines: Sequence[_Line]) -> list[_Line]:
    """Return lines; one that holds a key and no value goes on in the next."""
    found: list[_Line] = []
    for line in lines:
        before = found[-1].text if found else ""
        if len(before) <= _LONGEST and _BARE_KEY.fullmatch(before) and not label_of(before):
            found[-1] = _Line(found[-1].start, f"{before}: {line.text}")
        else:
            found.append(line)
    return found


def _in_sentences(line: _Line) -> Iterator[Statement]:
    """Yield the label that the first or the last sentence of a line gives."""
    sentences = [one for one in _SENTENCE_END.split(line.text) if one.strip()]
    for sentence in {sentences[0]: 0, sentences[-1]: 1} if sentences else ():
        bare = _bare(sentence)
        found = _SENTENCE.search(bare) if len(bare) <= _LONGEST else None
        start = found.start("key" if found["key"] else 0) if found else 0
        if found is None or not _PREFACE.fullmatch(bare[:start]):
            continue
        if not _INVERTED.match(bare) and not _DOUBT.search(bare[: found.start("label")]):
            yield Statement(line.start, label_of(found["label"]))
