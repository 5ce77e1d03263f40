"""Atoms that a case expects, with ``_`` for anything, held against those that hold."""

import difflib
import re
from collections.abc import Collection, Iterable

import clingo
from clingo import Function, Symbol, SymbolType

from groundtrace.rules.judge.foreign_signs import foreign_slip
from groundtrace.rules.text.words import Source

EXPECTATIONS = ("all", "any", "none")
ANYTHING = Function("anything_at_all")
SHOWN_CLOSEST = 6
LONGEST_ATOM = 1_000
"""Characters of an expected atom; clingo reads nested terms by recursion, and so do we."""

_WILDCARD = re.compile(r'("(?:\\.|[^"\\])*")|(?<=[(,])\s*_\s*(?=[,)])')
_PIECE = re.compile(r'"(?:\\.|[^"\\])*"|\s+|.', re.DOTALL)


class NotAnAtom(ValueError):  # noqa: N818 - it says what it is.
    """A word that cannot be read as an expected atom."""


def split_words(text: str) -> list[str]:
    """Split at the spaces that stand outside brackets and quotes."""
    words, depth = [""], 0
    for piece in _PIECE.findall(text):
        depth += (piece == "(") - (piece == ")")
        if piece.isspace() and depth == 0:
            words.append("")
        else:
            words[-1] += piece
    return [word for word in words if word]


def read_atom(word: str) -> Symbol:
    """Return an expected atom, ANYTHING in it where ``_`` is written.

    Raises:
        NotAnAtom: it is none.
    """
    if len(word) > LONGEST_ATOM:
        raise NotAnAtom(f"longer than {LONGEST_ATOM:,} characters: {word[:60]}…")
    for token in Source("", word).tokens:
        if token.kind == "foreign":
            said = foreign_slip(token)[1]
            raise NotAnAtom(f"not an atom: {word}: {said.text} (cure: {said.cure})")
    messages: list[str] = []
    text = _WILDCARD.sub(lambda match: match[1] or ANYTHING.name, word)
    try:
        atom = clingo.parse_term(text, lambda _, message: messages.append(message))
    except RuntimeError:
        raise NotAnAtom(f"not an atom: {word}") from None
    if messages or atom.type is not SymbolType.Function or not atom.name or atom.negative:
        raise NotAnAtom(f"not an atom: {word}")
    return atom


def fits(wanted: Symbol, present: Symbol) -> bool:
    """Say whether an atom or term is the expected one, ANYTHING standing for any term."""
    if wanted == ANYTHING:
        return True
    if SymbolType.Function not in (wanted.type, present.type) or wanted.type != present.type:
        return wanted == present
    return (
        wanted.name == present.name
        and wanted.positive == present.positive
        and len(wanted.arguments) == len(present.arguments)
        and all(map(fits, wanted.arguments, present.arguments))
    )


def closest(wanted: Symbol, atoms: Collection[Symbol]) -> list[Symbol]:
    """Return the atoms of the same predicate, those with most arguments in common first."""
    same = [atom for atom in atoms if atom.match(wanted.name, len(wanted.arguments))]
    same.sort(key=lambda atom: -sum(map(fits, wanted.arguments, atom.arguments)))
    if same:
        return same[:SHOWN_CLOSEST]
    shown = [str(atom) for atom in atoms if not atom.name.startswith("_")]
    alike = difflib.get_close_matches(str(wanted), shown, SHOWN_CLOSEST)
    return [atom for atom in atoms if str(atom) in alike]


def spell(atoms: Iterable[Symbol]) -> str:
    """Return atoms as they are written in expectations."""
    return " ".join(str(atom).replace(ANYTHING.name, "_") for atom in atoms) or "nothing like it"
