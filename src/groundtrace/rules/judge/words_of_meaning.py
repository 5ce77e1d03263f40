"""How faults in what rules mean are told to people who never saw such a language.

One function per kind; slips of the pen are told in words_of_slips.
"""

from collections.abc import Mapping, Sequence

from groundtrace.rules.judge.fault import Said

_INSTEAD = {
    "outcome": "derive veto(Segment, Reason), contradicted(Segment) or leaf(Segment) instead",
    "support": "to keep a relation from being support, derive drop(Relation, Reason)",
    "rejected": "derive drop(Relation, Reason) instead",
    "candidate": "derive drop(Relation, Reason), or disabled(locality) to allow more",
    "grounded": "derive leaf(Segment) for yes, or veto(Segment, Reason) for no",
    "contradicts": "derive contradicted(Segment) instead",
    "critical": "derive backwards(Predicate) or disabled(reduction) instead",
    "shortcut": "disabled(reduction) keeps shortcuts",
    "edge": "derive backwards(Predicate) instead",
    "unmatched": "derive forbidden_match(Text, Other) instead",
    "kept_apart": "derive forbidden_match(Text, Other) instead",
    "value": "derive term(Class, Value, Word) instead",
    "tag": "write tags into the trace, or a predicate of your own",
}


def decided_by_us(name: str, points: Mapping[str, int]) -> Said:
    """Say that our own rules decide a predicate."""
    allowed = ", ".join(f"{one}/{count}" for one, count in points.items())
    return Said(
        "decided_by_us",
        f"{name} is decided by groundtrace's own rules; a user's rule may derive {allowed}, "
        "and predicates of its own",
        _INSTEAD.get(name, "use one of these, or another name"),
    )


def wrong_arity(name: str, found: int, wanted: int, shown: str) -> Said:
    """Say that a predicate has too many or too few arguments."""
    return Said("wrong_arity", f"{name} takes {wanted} arguments, not {found}", f"write {shown}")


def own_arity(name: str, derived: Sequence[int], read: Sequence[int]) -> Said:
    """Say that a predicate of the user's own has another number of arguments elsewhere."""
    made, used = (" or ".join(map(str, one)) for one in (derived, read))
    some = "argument" if made == "1" else "arguments"
    return Said(
        "own_arity", f"{name} is derived with {made} {some}, but read with {used}",
        "write the same number of arguments in both places",
    )  # fmt: skip


def unknown_predicate(name: str, arity: int, near: str | None) -> Said:
    """Say that nothing derives what a condition asks for."""
    cure = f"did you mean {near}?" if near else "correct the name, or write a rule that derives it"
    return Said(
        "unknown_predicate", f"nothing derives {name}/{arity}, so this can never hold", cure, near
    )


def of_another_program(name: str, home: str, program: str, *, extends: bool = False) -> Said:
    """Say that a predicate belongs to other rules; if it extends them, nothing reads it here."""
    option = {"audit": "audit --overlay", "graph": "graph critical --overlay", "guards": "--guard"}
    return Said(
        "extends_another_program" if extends else "of_another_program",
        f"{name} is known to the rules for {home}, not to those for {program}",
        f"put this rule into a file for {option.get(home, home)}",
    )


def private(name: str) -> Said:
    """Say that a predicate is private to our rules."""
    return Said(
        "private_predicate",
        f"{name} is private to groundtrace's own rules and may change",
        "read a public predicate (see vocabulary.lp)",
    )


def misspelt_head(name: str, arity: int, near: str) -> Said:
    """Say that a rule derives what nothing reads, and what it is near to."""
    return Said(
        "misspelt_head", f"nothing reads {name}/{arity}, so this rule changes nothing",
        f"did you mean {near}?",
    )  # fmt: skip


def unread_head(name: str, arity: int) -> Said:
    """Say that a rule derives what nothing reads."""
    return Said(
        "unread_head", f"nothing reads {name}/{arity}, so this rule changes nothing",
        "read it in another rule, or take it out",
    )  # fmt: skip


def negated_head(shown: str) -> Said:
    """Say that a rule cannot conclude that something is not so."""
    return Said(
        "negated_head", "a rule cannot say that something does not hold",
        f"leave the not out, or take {shown} out of the rule that derives it",
    )  # fmt: skip


def double_not() -> Said:
    """Say that not stands twice."""
    return Said("double_not", "not not says little more than nothing at all", "leave both out")


def name_for_number(name: str, argument: str, variable: str | None) -> Said:
    """Say that a name stands where a number stands."""
    return Said(
        "name_for_number",
        f"{name} is the name of one thing, not a variable; {argument} is a number here, so this "
        "can never hold",
        f"a variable starts with a capital letter: write {variable}"
        if variable
        else "write its number",
    )


def text_for_number(shown: str, argument: str, swapped: bool) -> Said:
    """Say that a text stands where a number stands."""
    cure = "the arguments stand in the wrong order" if swapped else "write a number or a variable"
    return Said("text_for_number", f"{shown} is a text, but {argument} is a number here", cure)


def name_for_text(shown: str, argument: str) -> Said:
    """Say that quotation marks are missing."""
    return Said(
        "name_for_text",
        f"{shown} has no quotation marks, but {argument} is a text here, so this can never hold",
        f'write "{shown}"',
    )


def text_for_name(text: str, argument: str, known: Sequence[str]) -> Said:
    """Say that there are quotation marks around a name."""
    cure = f"write {text}" if text in known else f"known are {', '.join(known)}"
    return Said("text_for_name", f"{argument} is a name without quotation marks", cure)


def unknown_name(name: str, argument: str, known: Sequence[str], near: str | None) -> Said:
    """Say that there is no such label, outcome or rule."""
    if argument == "Rule":
        what = f"a rule is called {name} here, but no rule has that name"
    else:
        what = f"there is no {argument.lower()} {name}"
    listed = f"known are {', '.join(known)}"
    return Said("unknown_name", what, f"did you mean {near}? {listed}" if near else listed)


def capital_name(name: str, meant: str) -> Said:
    """Say that a name is written with a capital letter, which makes it a variable."""
    return Said(
        "capital_name",
        f"{name} starts with a capital letter, which makes it a variable: it fits everything",
        f"write {meant}",
    )


def capital_text(name: str) -> Said:
    """Say that a variable stands where a text may be meant."""
    return Said(
        "capital_text",
        f"{name} is a variable that stands nowhere else: it fits every text",
        f'write "{name.lower()}" if this text is meant, or _ if any is',
    )


def near_variable(name: str, near: str) -> Said:
    """Say that a variable occurs once, and another is like it."""
    return Said(
        "near_variable",
        f"the variable {name} occurs only once, and {near} is much like it",
        f"write {near} if the same is meant, or _ if anything will do",
    )


def duplicate(line: int) -> Said:
    """Say that a rule stands there twice."""
    return Said("duplicate", f"this rule says the same as the one in line {line}", "take one out")


def choice() -> Said:
    """Say that a choice leaves it open whether something holds."""
    return Said(
        "choice",
        "braces leave it open whether this holds, so there would be more than one answer",
        "take the braces out and write the conditions under which it holds",
    )


def either_or() -> Said:
    """Say that a rule derives one thing or another."""
    return Said(
        "either_or",
        "this says that one of several things holds, but not which: there would be more than one "
        "answer",
        "write one rule for each",
    )


def never_ends(name: str, arity: int) -> Said:
    """Say that a rule derives ever larger terms."""
    return Said(
        "never_ends",
        f"this rule makes ever more {name}/{arity} out of {name}/{arity} and would never end",
        "add a condition that bounds it, for instance X < 100 or segment(X)",
    )


def cross_product(parts: Sequence[str], count: int) -> Said:
    """Say that conditions share no variable."""
    return Said(
        "cross_product",
        f"{' and '.join(parts)} share no variable (cross product): on 500 segments this is tried "
        f"{count:,} times",
        "use the same variable in both, or split the rule",
    )


def wide_range(count: int) -> Said:
    """Say that a rule makes very many things."""
    return Said(
        "wide_range", f"this rule makes {count:,} things, more than can be held",
        "use smaller ranges, or a condition that bounds them",
    )  # fmt: skip


def without_source(name: str, arity: int) -> Said:
    """Say that a predicate only follows from itself."""
    return Said(
        "without_source",
        f"{name}/{arity} follows only from itself, so it never holds and this rule never fires",
        f"write a rule or fact that begins {name}/{arity}",
    )


def deep_nesting() -> Said:
    """Say that parentheses or operators are nested too deeply."""
    return Said("deep_nesting", "this rule is nested too deeply", "cut it into several rules")


def not_a_rule() -> Said:
    """Say that something is no rule."""
    return Said("not_a_rule", "not a plain rule; only rules and #const lines may stand here", None)


def constant_shadows(name: str, near: str | None) -> Said:
    """Say that a constant is called like one of our words."""
    cure = f"did you mean {near}?" if near else "rename it"
    return Said(
        "constant_shadows",
        f"a constant named {name} would change that word in every rule; rename it",
        cure,
    )


def unknown_constant(name: str, near: str) -> Said:
    """Say that nothing reads a constant, and which one is near."""
    return Said("unknown_constant", f"nothing reads a constant {name}", f"did you mean {near}?")


def needs_override(name: str, value: str) -> Said:
    """Say that a constant of ours is set without saying so."""
    return Said(
        "needs_override", f"{name} has a value already (redefinition of constant)",
        f"write #const {name} = {value}. [override]",
    )  # fmt: skip


def constant_twice(name: str, line: int) -> Said:
    """Say that a constant has two values."""
    return Said("constant_twice", f"{name} is defined in line {line} already", "take one out")


def out_of_range(name: str, value: str, allowed: str) -> Said:
    """Say that a constant is outside its range."""
    shown = allowed.replace("..", " to ")
    return Said("constant_out_of_range", f"constant {name} is outside its range: {value}",
                f"allowed: {shown}")  # fmt: skip


def script_call() -> Said:
    """Say that a rule calls a program."""
    return Said("not_allowed", "@ calls a program, which rules may not", "leave it out")
