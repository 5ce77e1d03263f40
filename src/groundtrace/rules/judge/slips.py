"""Find the usual slips of the pen: what people write who know other languages, or none.

Each function looks for one kind, in the tokens of one statement. What none of them sees is left to
clingo, whose message is then told in words.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from groundtrace.phrases import nearest
from groundtrace.rules.judge import words_of_slips as words
from groundtrace.rules.judge.dictionary import Dictionary
from groundtrace.rules.judge.fault import Fault, Said, fault
from groundtrace.rules.judge.foreign_signs import Slip, foreign_slip
from groundtrace.rules.rule_text import LARGEST_NUMBER, STATEMENT_CHARACTERS
from groundtrace.rules.text.lookalikes import QUOTES, WORDS, name_of_sign
from groundtrace.rules.text.words import DIRECTIVES, OPERANDS, Source, Statement, Token

MOST_SLIPS = 3
"""Slips of one statement that are told: the rest is mostly their echo."""

ECHOES = frozenset({"missing_comma", "stray_comma"})
HIDING = frozenset({"open_text", "typographic_quote", "single_quote", "bad_escape"})

ALLOWED = frozenset(
    {
        "const", "true", "false", "inf", "sup", "infimum", "supremum", "count", "sum", "min",
        "max", "defined",
    }
)  # fmt: skip
_HALF_SIGN = re.compile("[\ud800-\udfff]")
_PAIRS = {"(": ")", "{": "}", "[": "]"}
_REVERSED = {("=", ">"): ">=", ("=", "<"): "<=", ("=", "!"): "!=", ("==", "="): "=",
             ("!=", "="): "!=", ("=", "=="): "=", ("/", "="): "!=", ("<", "="): "<="}  # fmt: skip

Check = Callable[[Statement, Dictionary], Iterator[Slip]]


def slips_in(source: Source, statement: Statement, known: Dictionary) -> list[Fault]:
    """Return the slips of the pen in one statement, the first few.

    Args:
        known: What can be said.
    """
    found: dict[int, Said] = dict(_length(statement))
    if half := _HALF_SIGN.search(source.text, statement.start, statement.end):
        found[half.start()] = words.half_sign(name_of_sign(half[0]))
    # A rule that is far too long is not looked into: that could take for ever.
    for check in () if found else CHECKS:
        for offset, said in check(statement, known):
            found.setdefault(offset, said)
    if not found and not statement.stop:
        found[statement.end] = words.missing_stop()
    kept: list[Fault] = []
    for offset in sorted(found):
        # What comes after a slip that hides the sense of the rest is its echo.
        echo = kept and (found[offset].kind in ECHOES or kept[-1].kind in HIDING)
        if not echo:
            kept.append(fault(source, offset, found[offset]))
    return kept[:MOST_SLIPS]


def file_slips(source: Source) -> Iterator[Fault]:
    """Yield the slips that stand between statements, or make them unreadable."""
    for token in source.tokens:
        if token.kind == "remark":
            start = re.match(r"//|/\*|```|#", token.text)
            yield fault(source, token.start, words.foreign_remark(start[0] if start else "#"))
        elif token.kind == "unclosed":
            yield fault(source, token.start, words.open_remark())


def _neighbours(statement: Statement) -> Iterable[tuple[Token, Token]]:
    return zip(statement.tokens, statement.tokens[1:], strict=False)


def _has_arrow(statement: Statement) -> bool:
    return any(token.text == ":-" for token in statement.tokens)


def _quotes(statement: Statement, known: Dictionary) -> Iterator[Slip]:
    for token in statement.tokens:
        if token.kind == "open":
            yield token.start, words.open_text()
            return
        if token.kind == "string" and (
            bad := re.search(r"(?<!\\)(?:\\\\)*(\\[^n\\\"])", token.text)
        ):
            yield token.start + bad.start(1), words.bad_escape(bad[1])
        if token.kind == "foreign" and set(token.text) & QUOTES:
            yield foreign_slip(token)
            return
        if token.text.startswith("'"):
            yield token.start, words.single_quote()
            return


def _foreign(statement: Statement, known: Dictionary) -> Iterator[Slip]:
    for token in statement.tokens:
        if token.kind == "foreign" and not set(token.text) & QUOTES:
            yield foreign_slip(token)
        elif token.text in ("$", "`", "?", "^^"):
            yield token.start, words.unknown_sign(token.text)


def _arrows(statement: Statement, known: Dictionary) -> Iterator[Slip]:
    depth = 0
    arrow = False
    for token, after in _neighbours(statement):
        depth += (token.text in _PAIRS) - (token.text in _PAIRS.values())
        pair = token.text + after.text if token.end == after.start else ""
        if token.text == ":-":
            if after.text == "-" and pair:
                yield token.start, words.arrow(":--")
            arrow = True
        if arrow or depth or statement.tokens[0].text == "#const":
            continue
        if pair in (":=", "<-", "-:", "=:", "->", "=>", ";-", "::", "|-", ".-"):
            yield token.start, words.arrow(pair)
            return
        if token.text in (":", "<="):
            yield token.start, words.arrow(token.text)
            return


def _words(statement: Statement, known: Dictionary) -> Iterator[Slip]:
    arrow = _has_arrow(statement)
    for before, token in _neighbours(statement):
        if not (before.kind in OPERANDS or before.text in (")", ",")):
            continue
        small = token.text.lower()
        if token.kind in ("name", "variable") and small in WORDS:
            if before.text == "," and not _followed_by_operand(statement, token):
                continue
            sign = "a comma" if arrow and WORDS[small] == ":-" else WORDS[small]
            yield token.start, words.word_for_sign(token.text, sign)
        denies = small in ("not", "no") and token.text != "not"
        if denies and _followed_by_operand(statement, token):
            yield token.start, words.word_for_sign(token.text, "not")


def _followed_by_operand(statement: Statement, token: Token) -> bool:
    place = statement.tokens.index(token) + 1
    return place < len(statement.tokens) and statement.tokens[place].kind in OPERANDS


def _joins(statement: Statement, known: Dictionary) -> Iterator[Slip]:
    for before, token in _neighbours(statement):
        if token.text == "&" and before.text != "&" and statement.tokens[0] != token:
            double = any(one.start == token.end and one.text == "&" for one in statement.tokens)
            yield token.start, words.word_for_sign("&&" if double else "&", "a comma")
        if before.text == token.text == "|" and before.end == token.start:
            yield before.start, words.word_for_sign("||", "two rules, one for each,")


def _negations(statement: Statement, known: Dictionary) -> Iterator[Slip]:
    previous = ":-"
    for token, after in _neighbours(statement):
        starts = previous in (":-", ",", ";", "not", "{", ":", "&", "and")
        if token.text == "!" and not (after.text == "=" and after.start == token.end):
            yield token.start, words.not_sign("!")
        elif token.text == "~" and after.kind in OPERANDS:
            yield token.start, words.not_sign("~")
        elif token.text == "\\" and after.text == "+":
            yield token.start, words.not_sign("\\+")
        elif token.text == "not" and after.text == "(":
            yield token.start, words.not_brackets()
        elif token.text == "-" and starts and after.text in known.entries:
            yield token.start, words.not_sign("-")
        previous = token.text


def _comparisons(statement: Statement, known: Dictionary) -> Iterator[Slip]:
    if not _has_arrow(statement):
        return
    for token, after in _neighbours(statement):
        meant = _REVERSED.get((token.text, after.text))
        if meant and token.end == after.start:
            yield token.start, words.reversed_sign(token.text + after.text, meant)
        if token.text == ":" and after.text == "=" and token.end == after.start:
            yield token.start, words.reversed_sign(":=", "=")


def _numbers(statement: Statement, known: Dictionary) -> Iterator[Slip]:
    tokens = statement.tokens
    for place, token in enumerate(tokens):
        if token.kind != "number":
            continue
        rest = tokens[place + 1 : place + 3]
        touching = bool(rest) and rest[0].start == token.end
        if len(rest) == 2 and rest[0].text == "." and touching:
            yield token.start, words.decimal(f"{token.text}.{rest[1].text}")
        elif touching and token.text == "0" and rest[0].kind == "number":
            yield token.start, words.leading_zero(f"0{rest[0].text}")
        if token.text.isdigit() and (len(token.text) > 10 or int(token.text) > LARGEST_NUMBER):
            yield token.start, words.large_number(token.text, LARGEST_NUMBER)


def _predicates(statement: Statement, known: Dictionary) -> Iterator[Slip]:
    for token, after in _neighbours(statement):
        if token.kind == "variable" and after.text == "(" and token.end == after.start:
            small = token.text[0].lower() + token.text[1:]
            near = nearest(token.text, known.entries)
            yield token.start, words.capital_predicate(token.text, near or small)
        touching = token.end == after.start
        if token.kind == "name" and touching and token.text in known.entries and after.text in "[{":
            yield after.start, words.wrong_bracket("[ ]" if after.text == "[" else "{ }")


def _brackets(statement: Statement, known: Dictionary) -> Iterator[Slip]:
    waiting: list[Token] = []
    for token in statement.tokens:
        if token.text in _PAIRS:
            waiting.append(token)
        elif token.text == ":-" and waiting:
            break
        elif token.text in _PAIRS.values():
            if not waiting or _PAIRS[waiting[-1].text] != token.text:
                yield token.start, words.closed_bracket(token.text)
                return
            waiting.pop()
    if waiting and not any(token.kind == "open" for token in statement.tokens):
        yield waiting[-1].start, words.open_bracket(waiting[-1].text, _PAIRS[waiting[-1].text])


def _side_by_side(statement: Statement, known: Dictionary) -> Iterator[Slip]:
    """Yield where a sign is missing; a missing full stop is found before, by cutting there."""
    for before, token in _neighbours(statement):
        if before.text == "const" and token.kind == "name" and before == statement.tokens[0]:
            yield before.start, words.missing_name_for_const()
            return
        joined = (before.kind in OPERANDS and before.text != "not") or before.text in (")", "]")
        if not joined or token.kind not in OPERANDS:
            continue
        if before.kind == token.kind == "number" and before.end == token.start:
            continue
        name = f"{before.text}_{token.text}"
        near = nearest(name, known.entries) if before.kind == token.kind == "name" else None
        if name in known.entries or near:
            yield before.start, words.spaced_name(f"{before.text} {token.text}", near or name)
        else:
            yield token.start, words.missing_comma(token.text)
        return


def _hyphens(statement: Statement, known: Dictionary) -> Iterator[Slip]:
    tokens = statement.tokens
    for first, sign, last in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if sign.text == "-" and first.kind == last.kind == "name" and first.end == sign.start:
            name = f"{first.text}_{last.text}"
            if sign.end == last.start and (name in known.entries or name in known.constants):
                yield first.start, words.spaced_name(f"{first.text}-{last.text}", name)


def _commas(statement: Statement, known: Dictionary) -> Iterator[Slip]:
    end = Token("sign", ".", statement.end)
    for token, after in [*_neighbours(statement), (statement.tokens[-1], end)]:
        if token.text not in (",", ";") or after.text not in (",", ";", ".", ")", ":-"):
            continue
        if after is end and not statement.stop:
            yield token.start, words.comma_for_stop()
        elif not (after.text == ")" and token.text == ","):
            yield token.start, words.stray_comma("full stop" if after.text == "." else after.text)


def _directives(statement: Statement, known: Dictionary) -> Iterator[Slip]:
    for token in statement.tokens:
        if token.text == ":~":
            yield token.start, words.refused(":~")
        if token.kind == "directive" and token.text[1:] not in ALLOWED:
            if token.text[1:] in DIRECTIVES:
                yield token.start, words.refused(token.text)
            else:
                first = token == statement.tokens[0]
                near = nearest(token.text[1:], ("const",) if first else sorted(ALLOWED))
                yield token.start, words.unknown_directive(token.text, near)


def _length(statement: Statement) -> Iterator[Slip]:
    if statement.end - statement.start > STATEMENT_CHARACTERS:
        yield statement.start, words.long_rule(STATEMENT_CHARACTERS)


CHECKS: tuple[Check, ...] = (
    _directives, _quotes, _foreign, _arrows, _words, _joins, _negations, _comparisons,
    _numbers, _predicates, _brackets, _hyphens, _commas, _side_by_side,
)  # fmt: skip
