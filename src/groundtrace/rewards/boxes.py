"""What stands in the boxes of a response, as LaTeX's ``\\boxed{…}``."""

import re

_BRACES = re.compile(r"(?P<boxed>\\boxed\s*\{)|\\[{}\\]|[{}]")
_WRAPPERS = re.compile(
    r"(?P<wrapper>\\(?:text|textbf|textrm|textit|mathrm|mathbf)\s*\{)|\\[{}\\]|[{}]"
)
_ESCAPED = re.compile(r"\\([%$#&_])")


def boxed(response: str) -> str | None:
    r"""Return what stands in the last balanced ``\boxed{…}`` that is not empty.

    Without ``\text{}`` around words, and with ``\%`` read as a per cent sign.

    Args:
        response: A model's whole answer.
    """
    found = boxes_in(response)
    return found[-1] if found else None


def boxes_in(response: str) -> list[str]:
    """Return what stands in each balanced box that is not empty, in the order of their openings.

    Of boxes within each other the innermost counts.
    """
    spans: list[tuple[int, int]] = []
    open_: list[int | None] = []
    for brace in _BRACES.finditer(response):
        if brace["boxed"]:
            open_.append(brace.end())
        elif brace[0] == "{":
            open_.append(None)
        elif brace[0] == "}" and open_:
            start = open_.pop()
            if start is None or not response[start : brace.start()].strip():
                continue
            if not any(start <= inner for inner, _ in spans):
                spans.append((start, brace.start()))
    return [_unwrapped(response[start:end]) for start, end in spans]


def _unwrapped(content: str) -> str:
    """Return what a box holds without LaTeX around its words."""
    pieces: list[str] = []
    place = 0
    wrapped: list[bool] = []
    for brace in _WRAPPERS.finditer(content):
        if brace["wrapper"] or brace[0] == "{":
            wrapped.append(bool(brace["wrapper"]))
        elif brace[0] != "}" or not wrapped or not wrapped.pop():
            continue
        if brace[0] == "{":
            continue
        pieces.append(content[place : brace.start()])
        place = brace.end()
    text = "".join([*pieces, content[place:]]).strip()
    return _ESCAPED.sub(r"\1", text).strip("$").strip()
