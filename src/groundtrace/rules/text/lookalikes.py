# ruff: noqa: RUF001
"""What people write for our signs who know other languages, or use a word processor."""

import unicodedata

QUOTES = frozenset("“”„‟«»‘’‚‛‹›″′＂＇「」『』〝〞〟❛❜❝❞❟❠⹂﹁﹂﹃﹄｢｣״ʺˮ˝❮❯")
"""Quotation marks of word processors, and of other scripts."""

IGNORED = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0").union(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Characters that are drawn as nothing, though Unicode calls them letters, marks or symbols."""

EMPTY = frozenset("\u00ad\u180e\u200b\u2060\ufeff")
"""Characters that are drawn as nothing and mean nothing inside a text either."""

SIGNS = {
    "≤": "<=", "≥": ">=", "≠": "!=", "–": "-", "—": "-", "−": "-", "…": "..", "→": ":-",
    "←": ":-", "⇒": ":-", "⇐": ":-", "∧": "a comma", "∨": "two rules", "¬": "not", "×": "*",
    "·": "*", "，": "a comma", "。": "a full stop", "；": "a semicolon", "：": ":", "（": "(",
    "）": ")", "÷": "/",
    "∈": "=",
}  # fmt: skip
"""Sign to what is meant."""

WORDS = {
    "if": ":-", "when": ":-", "where": ":-", "because": ":-", "whenever": ":-", "and": "a comma",
    "but": "a comma", "then": "a comma", "or": "two rules, one for each,", "unless": ", not",
    "in": "=", "is": "=", "equals": "=", "mod": "\\", "without": ", not",
}  # fmt: skip
"""Word to what is meant."""


def is_unseen(sign: str) -> bool:
    """Say whether nothing can be seen of a character that is no space."""
    return sign in IGNORED or unicodedata.category(sign) in ("Cf", "Cc", "Cs", "Co", "Cn")


def name_of_sign(sign: str) -> str:
    """Return what Unicode calls a character, with its code point."""
    return f"U+{ord(sign):04X} {unicodedata.name(sign, '')}".rstrip()
