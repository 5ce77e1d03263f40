"""Every exception a caller can see.

GroundtraceError            exit code   whose fault, and what to do
├── InputError              2           the input's: mend the file at the place named
│   ├── SizeError           2           the input's: too large to be audited in bounds
│   └── ArgumentError       2           the caller's: a value of a wrong type; a TypeError too
├── RuleError               2           a rule file's: mend it at file:line:column
│   └── AnswersError        2           rules leave no answer, or more than one
├── LimitError              2           work was ended before it was done
│   ├── TimeLimitError      2           at its time limit
│   └── MemoryLimitError    2           at its memory limit
├── ModelError              3           a server or model could not be reached or used
└── BugError                70          ours: please report it
"""

import traceback
from dataclasses import dataclass


class GroundtraceError(Exception):
    """Base of all errors that groundtrace raises on purpose."""

    exit_code = 2


class InputError(GroundtraceError):
    """A trace or option that cannot be used; the message says what, where and what is expected."""


class SizeError(InputError):
    """A trace whose audit would exceed the documented bounds; the message holds the figures."""


class ArgumentError(InputError, TypeError):
    """An argument of a Python function that has the wrong type."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """One message of clingo or of our own checks about a rule file.

    Attributes:
        place: "file:line:column", the column in characters, or "" where clingo names none.
        text: What is wrong, in clingo's or our words.
        kind: Name of the kind, stable, for programs.
        names: What it is about: variables, an atom, a term.
    """

    place: str
    text: str
    kind: str = "clingo"
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the complaint as one line."""
        return f"{self.place}: {self.text}" if self.place else self.text


class RuleError(GroundtraceError):
    """A rule file that clingo refuses, or that leaves no answer or more than one.

    Attributes:
        complaints: One per problem, in the order found.
    """

    def __init__(self, summary: str, complaints: tuple[Complaint, ...] = ()) -> None:
        """Join the summary and the complaints into one message.

        Args:
            complaints: The problems behind it.
        """
        self.summary = summary
        self.complaints = complaints
        super().__init__("\n".join([summary, *(f"  {line}" for line in complaints)]))

    def __reduce__(self) -> tuple[type["RuleError"], tuple[str, tuple[Complaint, ...]]]:
        """Keep both arguments when the error crosses a process border."""
        return type(self), (self.summary, self.complaints)


class AnswersError(RuleError):
    """Rules that leave no answer, or more than one, where there must be exactly one.

    Attributes:
        count: 0, or 2 for more than one.
    """

    def __init__(self, count: int) -> None:
        """Say why that happens, by the number of answers."""
        self.count = count
        super().__init__(
            "the rules leave more than one answer: a choice or a loop through negation in an "
            "overlay lets the audit be decided either way"
            if count
            else "the rules leave no answer: an integrity constraint or a loop through negation "
            "in an overlay rules every answer out"
        )

    def __reduce__(self) -> tuple[type["AnswersError"], tuple[int]]:  # type: ignore[override]
        """Keep the argument when the error crosses a process border."""
        return type(self), (self.count,)


class LimitError(GroundtraceError):
    """Work that was ended before it was done, at a limit or from outside."""


class TimeLimitError(LimitError):
    """Work that was ended because it ran past its time limit."""


class MemoryLimitError(LimitError):
    """Work that was ended because it needed more memory than it was allowed."""


class ModelError(GroundtraceError):
    """A server or model that could not be reached or used; what it answered so far is kept."""

    exit_code = 3


class BugError(GroundtraceError):
    """Something that should be impossible: a fault of groundtrace, not of its user."""

    exit_code = 70


def missing_package(what: str, extra: str, package: str | None) -> ModelError:
    """Return what to say where an optional package is not installed.

    Args:
        what: Needs it, with its verb, such as "tables need".
        extra: Of our package, which brings it.
        package: That Python does not find.
    """
    return ModelError(
        f"{what} more packages ({package} is missing): "
        f"pip install 'groundtrace[{extra}]', or from a checkout pip install '.[{extra}]'"
    )


def placed(error: GroundtraceError, place: str) -> GroundtraceError:
    """Return an error of the same kind whose message starts with a place.

    Args:
        place: Where, such as "file:line".
    """
    if isinstance(error, RuleError):
        return RuleError(f"{place}: {error.summary}", error.complaints)
    return type(error)(f"{place}: {error}")


def bug_of(error: Exception) -> BugError:
    """Return an unexpected exception as our own fault, with the place where it arose.

    Args:
        error: As caught; a BugError comes back as it is.
    """
    if isinstance(error, BugError):
        return error
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "an unknown place"
    return BugError(f"unexpected {type(error).__name__} at {place}: {error}")
