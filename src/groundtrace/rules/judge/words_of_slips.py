"""How slips of the pen are told to people who never saw such a language: a function per kind.

The rules stand in "how it is written"; what they mean is told in words_of_meaning.
"""

from groundtrace.rules.judge.fault import Said


def open_text() -> Said:
    """Say that a quotation mark is not closed."""
    return Said(
        "open_text",
        "the text that begins here has no closing quotation mark on its line",
        'put " at its end; a text cannot run over the end of a line (write \\n instead)',
    )


def bad_escape(found: str) -> Said:
    """Say that a backslash in a text means nothing."""
    return Said(
        "bad_escape",
        f'{found} means nothing in a text: after a backslash only n, \\ or " may stand',
        "for a backslash write two: \\\\",
    )


def typographic_quote(found: str) -> Said:
    """Say that quotation marks are those of a word processor."""
    return Said(
        "typographic_quote",
        f"{found} is a quotation mark of a word processor; texts stand in plain ones",
        'write " (and switch “smart quotes” off)',
    )


def single_quote() -> Said:
    """Say that a text stands in single quotes."""
    return Said(
        "single_quote", "texts do not stand in single quotation marks", 'write "…" around the text'
    )


def foreign_sign(found: str, meant: str | None) -> Said:
    """Say that a sign is none of the language, and which one is meant."""
    if meant is not None:
        return Said("foreign_sign", f"the sign {found} is not known here", f"write {meant}")
    return Said(
        "foreign_sign",
        f"{found} cannot stand outside of a text: names have plain letters a to z, digits and _",
        f'put it in quotation marks if it is text: "{found}"',
    )


def unseen_sign(name: str) -> Said:
    """Say that a character stands in a rule that cannot be seen."""
    return Said("unseen_sign", f"a character that cannot be seen stands here: {name}", "delete it")


def unseen_in_text(name: str) -> Said:
    """Say that a text holds a character that cannot be seen."""
    return Said(
        "unseen_in_text",
        f"this text holds a character that cannot be seen, {name}: it fits no text without it",
        "delete it, unless it is meant",
    )


def foreign_space(name: str) -> Said:
    """Say that a space is none that is known here."""
    return Said("foreign_sign", f"the space that stands here is {name}", "write a plain space")


def combining_sign(name: str) -> Said:
    """Say that a letter has a mark outside of a text."""
    return Said(
        "foreign_sign",
        f"{name} cannot stand outside of a text: names have plain letters a to z, digits and _",
        "write the letter without it, or put the whole in quotation marks if it is text",
    )


def half_sign(name: str) -> Said:
    """Say that a text holds half of a character."""
    return Said("half_sign", f"this rule holds half of a character, {name}", "delete it")


def unknown_sign(found: str) -> Said:
    """Say that a plain sign is none of the language."""
    return Said("unknown_sign", f"the sign {found} is not known here", None)


def arrow(found: str) -> Said:
    """Say that the sign between what follows and its conditions is another one."""
    return Said(
        "arrow",
        f"{found} stands where the sign for “if” is needed",
        "write :- between what the rule says and its conditions",
    )


def word_for_sign(found: str, sign: str) -> Said:
    """Say that a word is written where a sign is needed."""
    return Said("word_for_sign", f"the word {found} is not known here", f"write {sign} instead")


def not_sign(found: str) -> Said:
    """Say that a sign is written for the word not."""
    return Said("not_sign", f"{found} does not mean “not” here", "write not and a space")


def not_brackets() -> Said:
    """Say that not takes no parentheses."""
    return Said(
        "not_brackets", "not takes one condition, without parentheses around it",
        "write not leaf(Segment); for more than one, write a rule of its own and use not on that",
    )  # fmt: skip


def reversed_sign(found: str, meant: str) -> Said:
    """Say that a comparison is spelled as in another language."""
    return Said("reversed_sign", f"{found} is no comparison", f"write {meant}")


def foreign_remark(found: str) -> Said:
    """Say that a remark starts as in another language."""
    return Said("foreign_remark", f"remarks do not start with {found}", "start them with %")


def open_remark() -> Said:
    """Say that a block comment is not closed."""
    return Said("open_remark", "the remark that begins with %* is never closed", "end it with *%")


def decimal(found: str) -> Said:
    """Say that there are only whole numbers."""
    return Said(
        "decimal",
        f"{found} is no whole number, and there are no others",
        "count in smaller units: thousandths, for instance (0.5 is 500)",
    )


def leading_zero(found: str) -> Said:
    """Say that a number starts with 0."""
    return Said("leading_zero", f"the number {found} starts with 0", f"write {found.lstrip('0')}")


def large_number(found: str, largest: int) -> Said:
    """Say that a number is too large."""
    return Said(
        "large_number",
        f"numbers end at {largest}, got {found[:20]}",
        "use a smaller number or unit",
    )


def capital_predicate(found: str, meant: str) -> Said:
    """Say that a predicate starts with a capital."""
    return Said(
        "capital_predicate",
        f"{found}( starts with a capital letter, which only variables do",
        f"write {meant}(",
    )


def wrong_bracket(found: str) -> Said:
    """Say that arguments stand in the wrong kind of bracket."""
    return Said("wrong_bracket", f"arguments do not stand in {found}", "write ( and )")


def open_bracket(found: str, closing: str) -> Said:
    """Say that a bracket is not closed."""
    return Said("open_bracket", f"the {found} that stands here is never closed", f"add a {closing}")


def closed_bracket(found: str) -> Said:
    """Say that a bracket closes nothing."""
    return Said(
        "closed_bracket", f"this {found} closes nothing", "take it out, or add its other half"
    )


def missing_stop() -> Said:
    """Say that a rule does not end."""
    return Said(
        "missing_stop",
        "a rule must end with a full stop; there is none here",
        "put a . here",
    )


def missing_comma(found: str) -> Said:
    """Say that two things stand side by side."""
    return Said(
        "missing_comma",
        f"{found} follows without a sign in between",
        "put a comma before it, or a full stop if a new rule begins",
    )


def spaced_name(found: str, joined: str) -> Said:
    """Say that a name is written in two words."""
    return Said("spaced_name", f"“{found}” is not one name", f"write {joined}")


def stray_comma(before: str) -> Said:
    """Say that nothing follows a comma."""
    return Said("stray_comma", f"a condition is missing before this {before}", "take the comma out")


def comma_for_stop() -> Said:
    """Say that a new rule begins behind a comma."""
    return Said(
        "missing_stop",
        "a new rule begins after this comma",
        "write a full stop for the comma, or finish the condition",
    )


def missing_name_for_const() -> Said:
    """Say that a constant needs a #."""
    return Said("const_without_sign", "const is not known here", "write #const name = value.")


def refused(found: str) -> Said:
    """Say that a directive is not for users' files."""
    cures = {
        "#include": "give both files to the command, each with --overlay",
        "#show": "leave the line out: groundtrace reads back what it needs",
        "#script": "rules hold no programs; ask for what you miss",
        "#external": "write the fact itself, or leave it out",
        ":~": "there is no best answer to choose: write a veto or a note",
        "#program": "leave the line out",
    }
    cure = cures.get(found, "leave it out; rules decide, they do not weigh")
    return Said("not_allowed", f"{found} is not allowed in a user's rule file", cure)


def unknown_directive(found: str, near: str | None) -> Said:
    """Say that a word after # is not known."""
    cure = f"did you mean #{near}?" if near else "remarks start with %"
    return Said("unknown_directive", f"{found} is not known here", cure)


def long_rule(most: int) -> Said:
    """Say that a rule is too long."""
    return Said(
        "long_rule", f"a rule is longer than {most:,} characters",
        "cut it into several, or look for a missing full stop",
    )  # fmt: skip


def syntax(message: str) -> Said:
    """Say what clingo says where none of the usual slips was found."""
    names = {
        "<IDENTIFIER>": "a name", "<VARIABLE>": "a variable", "<STRING>": "a text",
        "<NUMBER>": "a number", "<ANONYMOUS>": "_", "EOF": "the end of the file",
        "<EOF>": "the end of the file", " . ": " a full stop ",
    }  # fmt: skip
    found = message.rpartition("unexpected ")[2].strip() or message
    wanted = ""
    if ", expecting " in found:
        found, _, wanted = found.partition(", expecting ")
    for inner, said in names.items():
        found, wanted = found.replace(inner, said), f" {wanted} ".replace(inner, said).strip()
    shown = {".": "the full stop", '","': "the comma", ",": "the comma"}.get(found, found)
    wanted = wanted.replace('","', "a comma")
    cure = f"here could stand {wanted}" if wanted else None
    return Said("syntax", f"{shown} cannot stand here (syntax error)", cure)


def old_line_end() -> Said:
    """Say that lines end as on old Macs."""
    return Said(
        "old_line_end",
        "the lines end as on old Macs, so that a remark would hide all that follows it",
        "save the file with Unix or Windows line ends",
    )


def control_sign(found: str) -> Said:
    """Say that a file holds a character that no text holds."""
    return Said("control_sign", f"the file holds the character {found}; is it a rule file?", None)


def empty(only_remarks: bool) -> Said:
    """Say that a file holds no rule."""
    what = "only remarks" if only_remarks else "nothing"
    return Said("no_rules", f"the file holds {what}: no rule, so it changes nothing", None)
