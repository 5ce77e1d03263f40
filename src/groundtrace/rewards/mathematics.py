"""Whether two mathematical answers are equal: 3/4 and 0.75, whatever their notation.

Source: math-verify (Apache-2.0), as Open R1 and lighteval use it.
"""

import atexit
import importlib.util
import json
import re
import subprocess
import sys
import threading
from typing import NamedTuple

from groundtrace.errors import ModelError, missing_package
from groundtrace.rewards import answer_words as words
from groundtrace.rewards.boxes import boxes_in

SECONDS = 20.0
"""After which a comparison is given up; the first one also loads the library."""

LONGEST = 2_000
"""Characters that are compared."""

_LATEX = re.compile(r"\\(?:text\w*|mathrm|mbox)\s*\{[^{}]*\}|\\[a-zA-Z]+|\\.")
_WORD = re.compile(r"[^\W\d_]{2,}")
_FUNCTIONS = {"sin", "cos", "tan", "log", "ln", "exp", "sqrt", "pi", "inf", "oo", "max", "min"}
_FORMULA = re.compile(r"[0-9∞π√]|[a-zA-Z]\s*[-+*/^=]\s*[a-zA-Z]|\\(?:pi|infty|sqrt|frac|d?frac)\b")
_TOLD = re.compile(
    rf"(?:{words.ANSWER})[\s:]{{0,6}}(?:(?:{words.LINK})[\s:]{{0,4}})+(?P<said>[^\n]+)",
    re.IGNORECASE,
)
_TAGGED = re.compile(r"<(?:final_)?answer>(?P<said>[^<]*)</(?:final_)?answer>", re.IGNORECASE)
_JSON = re.compile(r"\"(?:final_)?answer\"\s*:\s*\"?(?P<said>[^\"}\n]+)", re.IGNORECASE)
_DOLLARS = re.compile(r"\${1,2}([^$]+)\${1,2}")
_PERCENT = re.compile(r"(\d[\d.]{0,30})\s{0,5}\\?%")
_MARKDOWN = re.compile(r"`|^#+|(?<![\w)\]}*])\*+|\*+(?![\w(\[{\\*])", re.MULTILINE)
"""But no asterisk between two factors."""
_CODE = re.compile(r"[A-Z]{1,5}-?\d{1,4}")
"""Such as B12 or L4, which names a thing."""
_SEVERAL = re.compile(r"\bor\b|\beither\b|或|\\text\s*\{\s*or\s*\}", re.IGNORECASE)


class MathematicalMatch(NamedTuple):
    """What came of a comparison."""

    found: bool
    """Whether the response holds a mathematical answer, and one only."""
    equal: bool


def is_mathematical(answer: str) -> bool:
    """Say whether a right answer is a number, a formula or a set rather than words."""
    plain = _LATEX.sub(" ", answer)
    loose = [one for one in _WORD.findall(plain) if one.lower() not in _FUNCTIONS]
    code = _CODE.fullmatch(answer.strip()) is not None
    return not loose and not code and bool(_FORMULA.search(answer)) and len(answer) <= LONGEST


def match_mathematics(answer: str, final: str) -> MathematicalMatch:
    """Return whether a final response gives a mathematical answer, in whatever notation.

    Args:
        answer: The right one, for which :func:`is_mathematical` holds.
        final: What a response says after its thinking.

    Raises:
        ModelError: the package is not installed, or the comparison takes too long.
    """
    said = _said(final)
    if not said.strip() or (_SEVERAL.search(said) and not _SEVERAL.search(answer)):
        return MathematicalMatch(False, False)
    if ("%" in answer) != ("%" in said):
        # The library takes 5% for 5 as well as for 0.05.
        answer, said = (_PERCENT.sub(r"(\1/100)", one) for one in (answer, said))
    reply = _CHILD.ask(answer, said[-LONGEST:])
    if "error" in reply:
        raise ModelError(f"mathematical answers could not be compared: {reply['error']}")
    return MathematicalMatch(bool(reply["found"]), bool(reply["equal"]))


def _said(final: str) -> str:
    """Return the part of a final response that gives its answer."""
    boxes = boxes_in(final)
    if boxes:
        return f"$\\boxed{{{boxes[-1]}}}$"
    if "\\boxed" in final:
        return ""
    final = _MARKDOWN.sub("", final).replace("\u2212", "-")
    last = final.strip().rpartition("\n")[2]
    for pattern in (_JSON, _TAGGED, _TOLD, None):
        told = [one["said"] for one in pattern.finditer(final)] if pattern else [last]
        if told:
            said = told[-1].strip(" .。")
            formula = _DOLLARS.findall(said)
            if formula or ("$" not in said and is_mathematical(said)):
                return f"${formula[-1] if formula else said}$"
            return said
    return ""


class _Child:
    """One child process for all threads, started when it is needed first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None

    def ask(self, answer: str, said: str) -> dict[str, object]:
        """Return what the child says of two texts; ``error`` if it says nothing in time.

        Raises:
            ModelError: the package is not installed.
        """
        if importlib.util.find_spec("math_verify") is None:
            raise missing_package("mathematical answers need", "math", "math_verify")
        with self._lock:
            process = self._running()
            late = threading.Timer(SECONDS, process.kill)
            late.daemon = True
            late.start()
            try:
                line = _exchange(process, json.dumps([answer, said]))
            except (BrokenPipeError, ValueError):
                line = ""
            finally:
                late.cancel()
            if not line:
                self._end()
                return {"error": f"not done within {SECONDS:g} s, or its process ended"}
        reply: dict[str, object] = json.loads(line)
        return reply

    def _running(self) -> "subprocess.Popen[str]":
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "groundtrace.rewards.mathematics_child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )
            atexit.register(self._end)
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None


def _exchange(process: "subprocess.Popen[str]", line: str) -> str:
    """Return a process's answer to a line; nothing if it has ended."""
    if process.stdin is None or process.stdout is None:
        return ""
    process.stdin.write(f"{line}\n")
    process.stdin.flush()
    return process.stdout.readline()


_CHILD = _Child()
