"""Which option of a multiple choice a final response means.

What can only mean one option counts: a letter, a text, both together, wrapped in a box, in tags
or in JSON, named as the answer, or standing alone. Two options, an option that is ruled out, a
letter whose text is another option's, and words that take an answer back mean none.

The response is first *marked*: each option's text becomes one sign, so that a letter inside it
("vitamin C") is no letter, and a letter with its own text is the same sign.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from groundtrace.models.names import normal
from groundtrace.rewards import option_patterns as pt
from groundtrace.rewards.boxes import boxes_in


def option_named(final: str, options: Mapping[str, str]) -> str | None:
    """Return the letter of the one option that a final response means; None if that is not clear.

    Args:
        final: What a response says after its thinking.
        options: Letter (a capital one) to text; at least one.
    """
    reader = _Reader(options)
    final = pt.RUN.sub(_shortened, pt.PRIVATE.sub(" ", final))
    final = pt.UNTICKED.sub("", final)
    boxes = boxes_in(final)
    tagged = [found[2] for found in pt.TAGGED.finditer(final)]
    for held, ends in ((boxes, r"\boxed"), ([one for one in tagged if one.strip()], "</")):
        if held:
            rest = final[final.rfind(ends) :]
            return None if pt.CORRECTIONS.search(rest) else reader.shared(held)
    fenced = pt.FENCE.search(final)
    inside = (fenced[1] if fenced else final).strip()
    if inside[:1] == "{":
        return reader.from_json(inside)
    return reader.from_text(pt.TAGGED.sub("\n", final).replace("</answer>", "\n"))


def _shortened(run: re.Match[str]) -> str:
    """Return the two ends of a long run of signs, which patterns would go over again and again."""
    return f"{run[0][:20]}\n{run[0][-20:]}" if "\n" in run[0] else run[0][:20] + run[0][-20:]


def _only(named: Sequence[str | None]) -> str | None:
    """Return what all of some readings agree on; None if they do not, or there is none."""
    return named[0] if named and len(set(named)) == 1 else None


class _Reader:
    """Reads texts against the options of one question."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._options = options
        self._letters = [*options]
        by_length = sorted(options, key=lambda letter: -len(options[letter]))
        self._texts = [
            (letter, pattern)
            for letter in by_length
            if (pattern := _pattern_of(options[letter])) and options[letter].strip() not in options
        ]

    def value(self, text: str) -> str | None:
        """Return the option that a short text names, and nothing else."""
        bare = normal(pt.STRAY.sub("", unicodedata.normalize("NFKC", text)))
        if bare.upper() in self._options:
            return bare.upper()
        for letter, option in self._options.items():
            if normal(option) == bare:
                return letter
        marked = self._marked(text).strip().rstrip(".。")
        alone = pt.ALONE.match(marked)
        return self._agreed(marked) if alone and not pt.NOT.search(marked) else None

    def shared(self, texts: Sequence[str]) -> str | None:
        """Return the option that all of some short texts name."""
        return self._known(_only([self.value(one) for one in texts]))

    def from_json(self, text: str) -> str | None:
        """Return the option that a JSON object gives as its answer."""
        try:
            pairs, end = json.JSONDecoder(strict=False, object_pairs_hook=list).raw_decode(text)
        except (ValueError, RecursionError):
            return None
        values = [one for key, one in pairs if pt.KEYS.fullmatch(str(key).strip())]
        named = self._known(_only([self._from_item(one) for one in values]))
        after = text[end:].strip("`\n ")
        if after and (pt.CORRECTIONS.search(after) or self.from_text(after) not in (None, named)):
            return None
        return named

    def _from_item(self, item: Any) -> str | None:
        if isinstance(item, list) and len(item) == 1:
            item = item[0]
        return self.value(item) if isinstance(item, str) else None

    def from_text(self, text: str) -> str | None:
        """Return the option that prose names: as the answer, alone, or by its text."""
        marked = self._without_list(self._marked(text))
        clauses = [one.strip() for one in pt.CLAUSES.split(marked) if one and one.strip()]
        told = [
            (place, "?" if place and _counterfactual(clauses[place - 1], one) else named)
            for place, one in enumerate(clauses)
            for named in self._told(one)
        ]
        alone = [(place, named) for place, one in enumerate(clauses) if (named := self._alone(one))]
        if told:
            last = told[-1][0]
            later = [named for place, named in alone if place > last]
            doubts = [one for text in clauses[last + 1 :] if (one := pt.DOUBT.search(text))]
            later += [self._named(one["named"]) for one in doubts]
            if any(pt.CORRECTIONS.search(one) for one in clauses[told[0][0] + 1 :]):
                return None
            return self._known(_only([named for _, named in told] + later))
        if alone:
            places = {place for place, _ in alone}
            return self._known(self._unrivalled(_only([one for _, one in alone]), clauses, places))
        ending = [(place, end) for place, text in enumerate(clauses) if (end := _ended(text))]
        places = {place for place, _ in ending}
        found = _only([self._named(end) for _, end in ending])
        return self._known(self._unrivalled(found, clauses, places))

    def _known(self, named: str | None) -> str | None:
        """Return an option that exists; None for several, and for what is none."""
        return named if named in self._options else None

    def _told(self, clause: str) -> Iterator[str]:
        """Yield the option that a clause names as the answer; "?" for several or a doubtful one."""
        if clause.endswith(("?", "？")):
            return
        found = self._told_after(clause) or pt.RIGHT.match(clause)
        if found is None:
            return
        before, rest = clause[: found.start("named")], clause[found.end() :]
        if pt.NOT.search(before) or pt.RULED_OUT.match(rest):
            return
        named = self._named(found["named"])
        other = pt.BETWEEN.match(clause[found.end("named") :].lstrip(")]}\"'」』» ."))
        others = {self._named(one["named"]) for one in pt.MENTIONS.finditer(rest)} - {named}
        doubtful = (
            (other is not None and self._named(other["named"]) != named)
            or pt.HEDGES.search(before) is not None
            or bool(pt.WOULD.search(before) and pt.CONDITION.match(rest))
            or bool(_counterfactual(before, before))
        )
        yield "?" if doubtful or (pt.HEDGES.search(rest) and others) else named

    def _told_after(self, clause: str) -> re.Match[str] | None:
        """Return the first answer after a noun such as "answer", or a verb such as "choose"."""
        for found in pt.TOLD.finditer(clause):
            letter = found["named"]
            if pt.NAME.search(found["gap"] or ""):
                continue
            if letter.islower() and clause[found.end() :].strip(" .)*"):
                continue
            if letter.isascii() and letter.upper() not in self._options:
                if re.match(r"[\W]*\Z", clause[found.end() :]):
                    return found
                continue
            gap = found["gap"]
            if gap is None or pt.LINKED.search(gap) or pt.JOINED.search(found["noun"]):
                return found
        return None

    def _alone(self, clause: str) -> str | None:
        """Return the option that a clause consists of; "?" if it names several."""
        if pt.NOT.search(clause) or clause.endswith(("?", "？")):
            return None
        bare = normal(clause)
        if len(bare) == 1 and bare.upper() in self._options:
            return bare.upper()
        clause = pt.SMALL.sub(lambda found: found[1] + found[2].upper(), clause)
        return (self._agreed(clause) or "?") if pt.ALONE.match(clause) else None

    def _agreed(self, clause: str) -> str | None:
        return _only([self._named(one["named"]) for one in pt.MENTIONS.finditer(clause)])

    def _unrivalled(self, named: str | None, clauses: Sequence[str], own: set[int]) -> str | None:
        """Return an option if no clause but its own speaks for another, or takes it back."""
        for place, clause in enumerate(clauses if own else ()):
            if place in own:
                continue
            if place > min(own) and pt.CORRECTIONS.search(clause):
                return None
            if not pt.NOT.search(clause) and self._rivals(clause) - {named}:
                return None
        return named

    def _rivals(self, clause: str) -> set[str]:
        """Return the options that a clause mentions; an article or "Hepatitis C" is none."""
        found = set()
        for one in pt.MENTIONS.finditer(clause):
            if one["named"].isascii():
                before, after = clause[: one.start()], clause[one.end() :]
                article = one["named"] in "AI" and re.match(r"\s+[a-z\u00df-\u024f]", after)
                part = re.search(rf"[{pt.LATIN}]\s*\Z", before) and not pt.LOOSE_WORD.search(before)
                if one["named"] not in self._options or article or part:
                    continue
            found.add(self._named(one["named"]))
        return found

    def _named(self, sign: str) -> str:
        place = ord(sign[0]) - pt.FIRST_SIGN
        if 0 <= place < len(self._letters):
            return self._letters[place]
        return "?" if sign == pt.CLASH else sign.upper()

    def _marked(self, text: str) -> str:
        """Return a text with a sign for each option's text, and for a letter beside it."""
        text = unicodedata.normalize("NFKC", text).replace("’", "'").replace("‘", "'")
        text = (
            pt.DASHES.sub("-", text).replace("“", '"').replace("”", '"').replace("i.e.", "namely")
        )
        text = pt.STRAY.sub("", re.sub(r"\\text\w*\s*\{([^{}]*)\}", r"\1", text))
        for letter, pattern in self._texts:
            text = pattern.sub(self._sign(letter), text)

        def joined(found: re.Match[str]) -> str:
            letter, sign = found["letter"], found["sign"]
            if letter not in self._options:
                return found[0]
            return (
                sign if self._sign(letter) == sign else (pt.CLASH if found["end"] is None else "")
            )

        for pair in pt.PAIRS:
            text = pair.sub(lambda found: joined(found) or found[0], text)
        return text

    def _sign(self, letter: str) -> str:
        return chr(pt.FIRST_SIGN + self._letters.index(letter))

    def _without_list(self, marked: str) -> str:
        """Return a text without a list of all options, if it has more than that."""
        signs = r"[\s,;:.)(\]\[\"'-]*".join(self._sign(letter) for letter in self._letters)
        return re.sub(signs, "\n", marked) if len(self._letters) > 1 else marked


def _counterfactual(condition: str, clause: str) -> bool:
    """Say whether a clause tells what the answer would be if something were so that is not."""
    return bool(pt.COUNTERFACTUAL.match(condition) and pt.WOULD.search(clause))


def _pattern_of(text: str) -> re.Pattern[str] | None:
    """Return what finds an option's text; None for a text of nothing but signs."""
    parts = [re.escape(part) for part in normal(text).split()]
    if not parts or not any(map(str.isalnum, normal(text))):
        return None
    first, last = normal(text)[0], normal(text)[-1]
    start = r"(?<![^\W_])(?<!\d[.,])(?<!\w-)" if first < "\u2e80" else ""
    if first.isdecimal():
        start += r"(?<![^\w.]\.)(?<!^\.)"  # ".5 mg" is not "5 mg".
    end = r"(?![^\W_])(?![.,]\d)(?!-\w)" if last < "\u2e80" else ""
    return re.compile(start + r"\s+".join(parts) + end, re.IGNORECASE)


def _ended(clause: str) -> str | None:
    """Return the sign of an option with whose text a clause ends, as what is to be done."""
    found = pt.ENDING.search(clause)
    if found is None or pt.NOT.search(clause) or pt.HEDGES.search(clause) or clause.endswith("?"):
        return None
    restated = re.match(rf"\W*(?:option )?{pt.LETTER}\W*\s+is\b", clause)
    return None if restated or len(re.findall(pt.SIGN, clause)) > 1 else found["named"]
