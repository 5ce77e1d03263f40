"""Tell which rules of ours a user's file goes with, by the words that it uses."""

from groundtrace.phrases import nearest
from groundtrace.rules.judge.dictionary import dictionary
from groundtrace.rules.text.words import Source
from groundtrace.vocabulary import EXTENSION_POINTS, INPUT_PREDICATES, SHOWN_PREDICATES, Program

CHECKED_PROGRAMS: tuple[Program, ...] = ("audit", "graph", "guards")


def recognise(source: Source) -> Program | None:
    """Return the rules of ours that a file goes with, by the words that it uses."""
    words_used = [token.text for token in source.tokens if token.kind == "name"]
    scores = {}
    for program in CHECKED_PROGRAMS:
        spoken = {
            *EXTENSION_POINTS[program],
            *INPUT_PREDICATES[program],
            *SHOWN_PREDICATES[program],
        } - {"disabled", "finding"}
        scores[program] = sum(1 for word in words_used if word in spoken)
        values = dictionary(program).values["Rule"]
        scores[program] += sum(1 for word in words_used if word in values)
        scores[program] += sum(1 for word in words_used if word in dictionary(program).constants)
    best = max(CHECKED_PROGRAMS, key=lambda one: scores[one])
    if scores[best]:
        return best
    for program in CHECKED_PROGRAMS:
        if any(nearest(word, EXTENSION_POINTS[program]) for word in words_used):
            return program
    return None
