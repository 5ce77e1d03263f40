"""What finds the mentions of options in a final response, and the words around them."""

import re

from groundtrace.rewards import answer_words as words

FIRST_SIGN, LAST_SIGN = 0xE000, 0xE019
CLASH = "\ue0ff"
"""A letter beside the text of another option."""

SIGN = f"[{chr(FIRST_SIGN)}-{chr(LAST_SIGN)}{CLASH}]"
PRIVATE = re.compile("[\ue000-\uf8ff]")
STRAY = re.compile(r"<\|[^|<>]{0,40}\|>|</?s>|[*`$]|^\s*#+|\\[()\[\]]", re.MULTILINE)
DASHES = re.compile("[\u2010-\u2015\u2212]")
LATIN = "A-Za-z\u00c0-\u024f0-9_"
LETTER = rf"(?<![{LATIN}'.-])[A-Z](?![{LATIN}'-])"
OPEN, SHUT = r"[(\[{\"'「『«]*", r"[)\]}\"'」』»]*"
MENTION = rf"{OPEN}(?P<named>{SIGN}|{LETTER}){SHUT}"
TAGGED = re.compile(
    r"<((?:final_)?answer|choice|option|label)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE
)
FENCE = re.compile(r"```[a-zA-Z]*[ \t]*\n(.*?)(?:\n[ \t]*```|\Z)", re.DOTALL)
KEYS = re.compile(
    r"(?:(?:final|correct|best|selected|chosen|predicted|my)[ _-]?)?"
    r"(?:answer|option|choice|letter|label|prediction|response|text)"
    r"(?:[ _-]?(?:text|letter|choice|option|label))?",
    re.IGNORECASE,
)
RUN = re.compile(r"[\W_]{41,}")
"""Signs and spaces in a row that are too many to mean anything."""

CLAUSES = re.compile(
    r"[\n|]+|[.!;](?=\s|\Z|[\"')])|[。！；।]|(?<=\?)|(?<=？)"  # noqa: RUF001
    r"|,\s*(?=(?:and\s+)?(?:so|hence|thus|therefore|but|making|which leaves|leaving|it is|it's"
    r"|i (?:choose|pick|would|think|am)|the (?:\w+ )?(?:answer|option|choice))\b)"
    r"|，(?=因此|所以|故|答案)",  # noqa: RUF001
    re.IGNORECASE,
)
FOLLOWED = (
    r"(?=\s*(?:\Z|[,:)\]\"'/&-]|[^\x00-\u024f]|(?:because|since|as|for|which|due|given|so|not|and|or"
    r"|ou|et|und|oder|o|y|e|rather|over|instead|in|with|by|based|if|unless|depending|is|was|puisque"
    r"|car|weil|da|porque|pois|perché|omdat)\b))"
)
TOLD = re.compile(
    rf"(?:(?<![{LATIN}])(?P<noun>{words.ANSWER})(?P<gap>[^?？\n]{{0,60}}?)"  # noqa: RUF001
    rf"|\b(?P<verb>{words.CHOOSING})\s*(?:(?:the )?(?:option|answer|choice|letter)\s*)?)"
    rf"{MENTION}{FOLLOWED}",
    re.IGNORECASE,
)
RIGHT = re.compile(
    rf"^\W*(?:(?:{words.CONNECTORS})\b\W*)?(?:(?:the )?(?:option|answer|choice)\s+)?"
    rf"{MENTION}(?:\s*[(:]?{SIGN}\)?)?\s*,?\s+"
    r"(?:is|must be|seems|would be)\s+(?:clearly |definitely )?(?:the\s+)?(?:only\s+|single\s+)?"
    r"(?:correct|right|best|most (?:likely|appropriate|suitable)|(?:final )?answer)\b",
    re.IGNORECASE,
)
ALONE = re.compile(
    rf"^(?:\W|(?:\d{{1,2}}|{words.CONNECTORS})\b)*?(?:{words.CONNECTORS})?\W*{MENTION}"
    rf"(?:[\s,:.()\[\]\"'=-]|\b(?:namely|option|choice|that is)\b|{SIGN}|{LETTER})*$",
    re.IGNORECASE,
)
ENDING = re.compile(
    rf"(?:^|\b(?:{words.GIVING}))\s*(?:the |an? |with |on )?\W*(?P<named>{SIGN})\W*$",
    re.IGNORECASE,
)
BETWEEN = re.compile(rf"^\W*?\s*(?:{words.OR})\s*(?:option |choice )?{MENTION}", re.IGNORECASE)
DOUBT = re.compile(
    rf"\b(?:could|might|may)(?: also| as well| well)? be (?:option |choice )?{MENTION}\W*$",
    re.IGNORECASE,
)
WOULD = re.compile(r"\bwould (?:be|have been)\b", re.IGNORECASE)
COUNTERFACTUAL = re.compile(words.COUNTERFACTUAL, re.IGNORECASE)
CONDITION = re.compile(r"^\W*(?:only )?(?:if|had|were|unless|provided)\b", re.IGNORECASE)
UNTICKED = re.compile(r"^[ \t]*(?:[-*+][ \t]*\[[ \t]?\]|☐)[^\n]*$", re.MULTILINE)
MENTIONS = re.compile(MENTION)
NOT = re.compile(words.NOT, re.IGNORECASE)
RULED_OUT = re.compile(rf"[\s)\]\"']*(?:is |are |was )?(?:{words.NOT})", re.IGNORECASE)
NAME = re.compile(rf"\b(?:{words.NAMES})\s*\Z", re.IGNORECASE)
SMALL = re.compile(r"\b((?:option|choice|answer|letter)\s+\(?)([a-z])(?=\W*\Z)", re.IGNORECASE)
HEDGES = re.compile(words.HEDGES, re.IGNORECASE)
CORRECTIONS = re.compile(words.CORRECTIONS, re.IGNORECASE)
LINKED = re.compile(words.LINK, re.IGNORECASE)
JOINED = re.compile(words.JOINED)
LOOSE_WORD = re.compile(rf"\b(?:option|choice|answer|letter|{words.OR}|is)\s*$", re.IGNORECASE)
PAIRS = (
    re.compile(
        rf"{OPEN}(?P<letter>{LETTER}){SHUT}[ \t]*[.):\]-]*[ \t]*\(?(?P<sign>{SIGN})\)?"
        r"(?P<end>(?=\s*\w))?"
    ),
    re.compile(rf"(?P<sign>{SIGN})\s*[(\[](?P<letter>{LETTER})[)\]](?P<end>(?!))?"),
)
