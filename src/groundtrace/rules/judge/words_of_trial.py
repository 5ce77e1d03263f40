"""How faults that only show when rules are run are told; a function per kind."""

from collections.abc import Sequence

from groundtrace.rules.judge.fault import Said


def unsafe(names: Sequence[str], cure: str | None) -> Said:
    """Say that variables stand for nothing in particular (clingo calls them unsafe)."""
    variables = "variable" if len(names) == 1 else "variables"
    verb = "stands" if len(names) == 1 else "stand"
    return Said(
        "unsafe",
        f"the {variables} {' and '.join(names)} {verb} in no condition that says what it can be "
        "(unsafe; conditions with not and comparisons do not count)",
        cure,
    )


def cure_of_unsafe(name: str, near: str | None, text: bool, domain: str) -> str:
    """Return how a variable is bound."""
    if near:
        return f"did you mean {near}?"
    if text:
        return f'put the text in quotation marks: "{name.lower()}"'
    return f"add a condition that has it, for instance {domain}"


def several_answers(way: Sequence[str]) -> Said:
    """Say that rules hang on each other's contrary and can be read either way."""
    return Said(
        "several_answers",
        "these rules leave more than one answer" + _circle(way),
        "let one of them hold on something that does not depend on the other",
    )


def no_answer_for_loop(way: Sequence[str]) -> Said:
    """Say that a rule denies its own condition."""
    return Said(
        "no_answer",
        "these rules leave no answer" + _circle(way),
        "let the rule hold on something that does not depend on what it derives",
    )


def _circle(way: Sequence[str]) -> str:
    public = [one for one in way if not one.startswith("_")]
    if len(public) < 2:
        return ""
    links = ", that on ".join(public[1:])
    return f": {public[0]} depends on {links}, with a not on the way (negation loop)"


def no_answer_for_constraint() -> Said:
    """Say that a rule without a head removes the answer."""
    return Said(
        "no_answer",
        "a rule that begins with :- forbids every answer in which its conditions hold, so it can "
        "leave no answer at all (integrity constraint)",
        'to report a problem write finding("my problem", warning, Segment) before the :-, '
        "to refuse a segment veto(Segment, Reason)",
    )


def too_slow(seconds: float) -> Said:
    """Say that a rule did not end in time."""
    return Said(
        "too_slow",
        f"with this rule the program does not end within {seconds:g} seconds",
        "bound what it counts through, share variables between its conditions, or allow more time "
        "(--time-limit)",
    )


def too_large(rule_found: bool) -> Said:
    """Say that rules need too much memory."""
    what = "with this rule the program" if rule_found else "the program"
    return Said("too_large", f"{what} needs more memory than there is",
                "bound what the rules count through")  # fmt: skip


def operation_undefined(shown: str) -> Said:
    """Say that something cannot be computed."""
    return Said(
        "operation_undefined",
        f"{shown} cannot be computed: one of its parts is no number",
        "compute with numbers and with variables that stand for numbers",
    )


def undefined_atom(shown: str, near: str | None) -> str:
    """Return that nothing derives a condition."""
    cure = f"did you mean {near}?" if near else "correct the name, or write a rule that derives it"
    return f"nothing derives {shown}, so this can never hold (cure: {cure})"


def cases_file() -> Said:
    """Say that a file holds test cases."""
    return Said(
        "test_file",
        "by its name this is a file of test cases, not of rules",
        "groundtrace rules test runs it",
    )


def reported(message: str) -> Said:
    """Say what our rules find in the user's."""
    return Said("finding", message, "add a condition, such as segment(Segment)")


def clingo_says(message: str) -> Said:
    """Say what clingo says where we know no better words."""
    return Said("clingo", message, None)


def all_well(path: str, program: str, derives: Sequence[str], reads: Sequence[str]) -> str:
    """Return what a file does in which nothing is wrong."""
    does = [f"derives {_series(derives)}"] if derives else []
    does += [f"reads {_series(reads)}"] if reads else []
    what = ", ".join(does) or "sets constants"
    return f"{path}: nothing wrong; with the rules for {program} it {what}"


def taken_for(path: str, program: str) -> str:
    """Return with which rules a file was judged that does not say so itself."""
    return f"{path}: taken for rules for {program}; say --rules if they are for something else"


def _series(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
