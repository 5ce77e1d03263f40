"""Cut statements where a full stop is missing, so that what follows is still read."""

from collections.abc import Iterator

from groundtrace.rules.text.words import OPERANDS, Source, Statement, Token

MOST_CUT = 20_000
"""Tokens of a statement that is looked into."""

MOST_LOOKED_AT = 200
"""Tokens of a head, at most: without a bound, a file without full stops would take for ever."""

_OPEN, _CLOSE = frozenset("({["), frozenset(")}]")


def cut(source: Source, statement: Statement) -> Iterator[Statement]:
    """Yield the statements that one seems to be made of.

    Args:
        statement: Up to a full stop, or to the end of the file.
    """
    tokens = statement.tokens
    if len(tokens) > MOST_CUT:
        yield statement
        return
    begin = depth = 0
    arrow = False
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place > begin else None
        if before and depth == 0 and _begins(source, tokens, place, before, arrow):
            yield Statement(tokens[begin:place], None)
            begin, arrow = place, False
        depth = max(depth + (token.text in _OPEN) - (token.text in _CLOSE), 0)
        arrow = arrow or (token.text == ":-" and depth == 0)
    yield Statement(tokens[begin:], statement.stop)


def _begins(
    source: Source, tokens: tuple[Token, ...], place: int, before: Token, arrow: bool
) -> bool:
    """Say whether a new rule begins with a token, though no full stop stands before it."""
    token = tokens[place]
    _, column = source.place(token.start)
    line_start = "\n" in source.text[before.end : token.start]
    if not line_start:
        return False
    ended = before.kind in OPERANDS - {"open"} or before.text in (")", "}", "]")
    if token.kind == "directive" and token.text[1:] in ("const", "show", "include"):
        return True
    if token.text == ":-":
        return arrow and (ended or before.text == ",") and column == 1
    if token.kind not in ("name", "variable") or token.text in ("not", "if", "and", "or"):
        return False
    if before.text == "," and arrow:
        return column == 1 and _arrow_follows(tokens, place)
    if not ended or before.text == "not":
        return False
    return column == 1 or not arrow or _arrow_follows(tokens, place)


def _arrow_follows(tokens: tuple[Token, ...], place: int) -> bool:
    """Say whether a token is the beginning of a head, with its conditions after it."""
    depth = 0
    for token in tokens[place : place + MOST_LOOKED_AT]:
        depth += (token.text in _OPEN) - (token.text in _CLOSE)
        if token.text == ":-" and depth == 0:
            return True
        if token.text == "," and depth == 0:
            return False
    return False
