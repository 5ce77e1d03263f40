# ruff: noqa: RUF001
"""What people write for our signs who know other languages, or use a word processor."""

QUOTES = frozenset("“”„‟«»‘’‚‹›″′＂")
"""Quotation marks of word processors."""

SIGNS = {
    "≤": "<=", "≥": ">=", "≠": "!=", "–": "-", "—": "-", "−": "-", "…": "..", "→": ":-",
    "←": ":-", "⇒": ":-", "⇐": ":-", "∧": "a comma", "∨": "two rules", "¬": "not", "×": "*",
    "·": "*", "，": "a comma", "。": "a full stop", "；": "a semicolon", "：": ":", "（": "(",
    "）": ")", "\u00a0": "a plain space", "\u200b": "nothing", "\ufeff": "nothing", "÷": "/",
    "∈": "=",
}  # fmt: skip
"""Sign to what is meant."""

WORDS = {
    "if": ":-", "when": ":-", "where": ":-", "because": ":-", "whenever": ":-", "and": "a comma",
    "but": "a comma", "then": "a comma", "or": "two rules, one for each,", "unless": ", not",
    "in": "=", "is": "=", "equals": "=", "mod": "\\", "without": ", not",
}  # fmt: skip
"""Word to what is meant."""
