"""The words with which people and models name a label, in the languages that were met."""

from typing import Final

from groundtrace.vocabulary import LABEL_SPELLINGS, Label

GLOSSES: Final[dict[Label, tuple[str, ...]]] = {
    "entailment": ("implication logique", "folgerung", "蕴含", "蕴涵", "蘊含", "함의"),
    "implied": (
        *("implicite", "implicito", "implicita", "implícito", "implícita", "implizit"),
        *("подразумевается", "暗示", "隐含", "隱含", "암시"),
    ),
    "neutral": (
        *("neutre", "neutro", "neutra", "neutraal", "neutrale", "нейтрально", "нейтральный"),
        *("中立", "中性", "중립"),
    ),
    "contradiction": (
        *("widerspruch", "contradicción", "contradição", "contraddizione", "tegenspraak"),
        *("противоречие", "sprzeczność", "矛盾", "모순"),
    ),
}
"""Words for a label in other languages. They name it beside its letter, or against another."""

SPELLINGS: Final[dict[str, Label]] = {
    **LABEL_SPELLINGS,
    **{word: label for label, words in GLOSSES.items() for word in words},
}
"""Lower-case letter or word to what it names."""

LEADS: Final = (
    *("the", "my", "your", "a", "final", "correct", "best", "right", "chosen", "predicted"),
    *("most", "appropriate", "overall", "so", "thus", "therefore", "hence", "here", "is"),
    *("in", "conclusion", "finally", "le", "la", "l", "el", "il", "o", "os", "das", "die", "der"),
    *(
        "het",
        "de",
        "daher",
        "lautet",
        "also",
        "donc",
        "ainsi",
        "por",
        "tanto",
        "quindi",
        "richtige",
    ),
    *("richtige", "korrekte", "correcte", "bonne", "correcta", "finale", "правильный", "правильна"),
    *("итак", "поэтому", "верный", "正确", "最终", "因此", "所以", "正解", "सही"),
)
"""What may stand before the word "label"."""

KEYS: Final = (
    *("answer", "label", "choice", "option", "relation", "relationship", "classification"),
    *("verdict", "decision", "prediction", "judgement"),
    *("judgment", "assistant", "réponse", "étiquette", "respuesta", "etiqueta", "resposta"),
    *("rótulo", "risposta", "etichetta", "antwort", "bezeichnung", "antwoord", "svar"),
    *("odpowiedź", "odpověď", "válasz", "răspuns", "cevap", "yanıt", "vastaus", "ответ"),  # noqa: RUF001
    *("метка", "відповідь", "απάντηση", "答案", "标签", "標籤", "回答", "答え", "ラベル", "정답"),
    *("답", "답변", "라벨", "الإجابة", "الجواب", "التصنيف", "התשובה", "תשובה", "پاسخ", "उत्तर"),
    *("উত্তর", "คำตอบ", "đáp án", "trả lời", "jawaban", "jibu"),
)
"""What a label is called where one is given."""

LINKS: Final = (
    *("is", "would be", "should be", "must be", "is therefore", "is thus", "correct", "finale"),
    *("correcte", "correcta", "corretta", "correta", "final", "est", "es", "é", "è", "ist"),
    *("lautet", "är", "er", "on", "jest", "je", "это", "是", "為", "为", "は", "은", "는"),
    *("هو", "هي", "है", "là", "adalah", "ni"),
)
"""What may stand between the two."""

ENDS: Final = ("です", "だ", "である", "입니다", "이다", "है")
"""What may follow a label in its sentence."""

DOUBTS: Final = (
    *("not", "no", "never", "neither", "nor", "cannot", "if", "unless", "whether", "might", "may"),
    *("could", "maybe", "perhaps", "possibly", "unlikely", "doubt", "wrong", "incorrect", "false"),
    *("either", "hardly", "unclear", "unsure", "some", "others", "first", "initially", "thought"),
    *("seem", "seems", "seemed", "tempting", "tempted", "naively", "wrongly", "mistaken", "than"),
    *("instead", "rather", "suppose", "nicht", "kein", "nie", "non", "ne", "não", "не", "nem"),
)
"""A sentence that holds one of these gives no label."""

RETRACTIONS: Final = (
    *("wait", "hmm+", "correction", "scratch that", "on second thoughts?", "on reflection"),
    *("i misread", "i was wrong", "i made a mistake", "my mistake", "let me re\\w+", "sorry"),
    *("let me correct", "on closer", "i(?: am|'m) (?:not sure|unsure)", "that(?: is|'s) wrong"),
    *("this is wrong", "edit ?:", "korrektur", "moment mal", "en fait", "mejor dicho"),
    *("that(?: is|'s) (?:not right|incorrect|not correct)", "oops", "i take (?:that|it) back"),
    *("never ?mind", "disregard", "strike that", "i retract", "apologi[sz]e", "apologies"),
    *("das (?:ist|war) falsch", "ich habe mich geirrt", "je me suis trompée?", "me equivoqué"),
    *("mi sono sbagliat[oa]", "я ошиб\\w+", "это неверно", "错了", "不对", "間違え\\w*"),
)
"""Who says one of these after a label takes it back, or may: regular expressions."""
