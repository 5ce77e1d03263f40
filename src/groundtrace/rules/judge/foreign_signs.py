"""Characters of no plain alphabet, where a rule can have none."""

import unicodedata

from groundtrace.rules.judge import words_of_slips as words
from groundtrace.rules.judge.fault import Said
from groundtrace.rules.text.lookalikes import QUOTES, SIGNS, is_unseen, name_of_sign
from groundtrace.rules.text.words import Token

Slip = tuple[int, Said]
"""Where a slip of the pen stands, and what is said of it."""


def foreign_slip(token: Token) -> Slip:
    """Return what is wrong with characters of no plain alphabet outside of a text, and where.

    Args:
        token: Of the kind "foreign".
    """
    for at, sign in enumerate(token.text):
        if is_unseen(sign):
            return token.start + at, words.unseen_sign(name_of_sign(sign))
        if sign in QUOTES:
            return token.start + at, words.typographic_quote(sign)
        if sign in SIGNS:
            return token.start + at, words.foreign_sign(sign, SIGNS[sign])
        if sign.isspace():
            return token.start + at, words.foreign_space(name_of_sign(sign))
    if unicodedata.combining(token.text[0]):
        return token.start, words.combining_sign(name_of_sign(token.text[0]))
    return token.start, words.foreign_sign(token.text[:20], None)
