"""The words with which people and models name a label, in the languages that were met."""

from typing import Final

from groundtrace.vocabulary import LABEL_SPELLINGS, Label
from groundtrace.vocabulary import LABELS as _LABELS

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
    *("second", "almost", "nearly", "close to", "wont", "dont", "cant", "opposite", "reverse"),
    *("contrary", "inverse", "assuming", "assume", "provided", "supposing", "imagine", "says"),
    *("given that", "in case", "as long as", "on condition", "said", "claims", "claimed", "told"),
    *(
        "according",
        "otherwise",
        "except",
        "refuse",
        "avoid",
        "reject",
        "least",
        "worst",
        "seldom",
        "rarely",
        "falsely",
        "third",
    ),
    *("rejected", "excluded", "discarded", "previous", "old", "former", "hate", "hesitate"),
    *("runner-up", "when", "hypothetically", "were it", "had it", "only in"),
    *("instead", "rather", "suppose", "nicht", "kein", "nie", "non", "ne", "não", "не", "nem"),
)
"""A sentence that holds one of these gives no label."""

RETRACTIONS: Final = (
    *("stand corrected", "my bad", "not applicable", "n/a", "unreliable"),
    *("(?:cannot|can't|can not) be (?:sure|certain)", "not (?:reliable|trustworthy)"),
    *("wait", "hmm+", "correction", "scratch that", "on second thoughts?", "on reflection"),
    *("i misread", "i was wrong", "i made a mistake", "my mistake", "let me re\\w+", "sorry"),
    *("let me correct", "on closer", "i(?: am|'m) (?:not sure|unsure)", "that(?: is|'s) wrong"),
    *("this is wrong", "edit ?:", "korrektur", "moment mal", "en fait", "mejor dicho"),
    *("that(?: is|'s) (?:not right|incorrect|not correct)", "oops", "i take (?:that|it) back"),
    *("never ?mind", "disregard", "strike that", "i retract", "apologi[sz]e", "apologies"),
    *("das (?:ist|war) falsch", "ich habe mich geirrt", "je me suis trompée?", "me equivoqué"),
    *("mistakes?", "wrong(?:ly)?", "typo", "kidding", "jok(?:e|ing)", "(?:no|any) (?:idea|clue)"),
    *(
        "hold on",
        "undo",
        "null and void",
        "i meant",
        "(?:start|try|do)(?: it| this)? (?:over|again)",
    ),
    *("ignored?", "random(?:ly)? (?:choice|pick|letter|chosen|picked|label)", "just testing"),
    *("(?:made|making) (?:this|that|it) up", "i changed?", "(?<!no )doubt\\w*", "actually,? no"),
    *(
        "(?:do not|don't|dont|never) (?:use|count|trust|rely|take|record|accept)",
        "no,? it (?:is|was)",
    ),
    *("no,? it isn't", "only if", "only (?:for|when)"),
    *("guess(?:ing)?", "dunno", "(?:do not|don't|dont|didn't) (?:really )?know", "changed my mind"),
    r"(?:i|we|hereby) (?:now |hereby |must |have to )?(?:withdr[ae]w|revoke|rescind|cancel|"
    r"take back)",
    r"(?:please|kindly) (?:ignore|skip|delete|remove|discard)",
    r"(?:ignore|strike|scratch|delete|discard|cancel|undo|forget) (?:this|that|the|it|all|my|what)",
    r"(?:was|is) (?:just |only |merely )?an? (?:test|trick|lie|draft|error|placeholder)",
    r"on (?:a )?(?:second|another|further|careful|closer|reconsider\w*|re-?\w+)(?: \w+)?",
    r"(?:updated?|amendment|amended|erratum) ?:",
    r"(?:revis|amend|correct|updat)ed (?:label|answer)",
    r"(?:label|answer|above|choice) (?:is |was )?(?:withdrawn|void|revoked|cancelled|retracted)",
    r"(?:this|that|which|label|answer|above) (?:is|was) (?:false|untrue|incorrect|inaccurate)",
    r"(?:this|that|which|label|answer|above) (?:is|was|may)(?: not|n't) (?:be )?(?:it|so|true|"
    r"final|valid)",
    r"(?:isn't|is not|wasn't|was not) (?:it|right|correct|my (?:label|answer))",
    *("mi sono sbagliat[oa]", "я ошиб\\w+", "это неверно", "错了", "不对", "間違え\\w*"),
)
"""Who says one of these after a label takes it back, or may: regular expressions."""

DENIALS: Final = (
    *("or not", "no", "nope", "nah", "not", "false", "incorrect", "untrue", "wrong", "not true"),
    *("not really", "not quite", "not so", "not it", "not this", "non", "nein", "nicht", "faux"),
    *("maybe", "maybe not", "or maybe not", "possibly", "perhaps", "probably", "probably not"),
    *("falsch", "falso", "нет", "неверно", "不", "不是", "いいえ", "아니요"),
)
"""Who says one of these as a sentence, or before a comma, after a label takes it back."""

CONDITIONS: Final = (
    *("suppose", "supposing", "imagine", "assume", "assuming", "pretend", "what if", "only if"),
    *("but only", "only for", "only when", "if only", "in another", "in a world", "were it"),
    *("hypothetically", "allegedly", "it is (?:said|alleged|claimed)", "anything but"),
    *("everything but", "all but", "someone (?:says|said)"),
)
"""What a sentence of a text says first that gives its label under a condition or as hearsay."""

NO_ANSWERS: Final = (
    r"please (?:provide|share|send|give|paste|supply)|(?:content )?filtered|truncated",
    r"(?:respond|reply) with|suggested (?:reply|answer)|answer (?:sheet|key)",
    r"(?<!for )examples?",
    r"e\.\s?g\.?:?\s+(?:label|answer)",
    "format(?:s|ted|ting)?",
    "template",
    r"placeholder",
    "dummy",
    r"hypothetical(?:ly)?",
    r"for illustration",
    r"illustrative",
    r"(?:sample|demo|mock) (?:label|answer|output|response|reply)",
    "sorry",
    r"apologi[sz]e",
    r"apologies",
    r"as an? (?:ai|language model)",
    "errors? ?:",
    r"exception ?:",
    "traceback",
    r"(?:could not|couldn't|cannot|can't|failed to|unable to) (?:be )?(?:parsed?|process|load|"
    r"read)",
    r"(?:timed out|time-?out)",
    r"(?:i|we)(?: am|'m|'re| are|m)? (?:not able|unable|refuse|decline)",
    r"(?:am|was|'m) (?:unable|not able|not allowed|not permitted)",
    r"i (?:must|have to) (?:decline|refuse|abstain|pass)",
    "i (?:abstain|pass)",
    r"i (?:cannot|can't|can not|won't|will not|refuse|decline)(?=[.,;!])",
    r"i am (?:just |only )?an? (?:program|bot|machine|model|assistant)|rather not",
    r"(?:could|can|did) not (?:finish|complete)",
    r"(?:status|state|flag|comment|note|result|outcome) ?[:=] ?(?:error|fail\w*|ignore|refus\w*|"
    r"none|reject\w*|invalid|void|deleted)",
    r"(?:cannot|can't|can not|cant|won't|will not|wont) (?:really )?(?:help|assist|answer|comply|"
    r"provide|classify|label|judge|decide|choose|respond|give|offer|make)",
    r"[einc] is (?:the|an?) (?!(?:\w+ )?(?:label|answer|choice|option|relation|correct|best|"
    r"right))\w+",
    r"[einc] (?:stands for|denotes|means)",
)
"""A text that holds one of these anywhere gives no answer, or only an example of one."""

_IF_NOT_NEGATED: Final[dict[str, str]] = {
    r"violat\w+|counter to|at variance": "C",
    r"restat\w+|paraphras\w+|(?:direct |logical |necessary )?consequence": "EI",
    r"(?:refut|disprov|falsif)\w+|opposite|mutually exclusive|incompatible|inconsistent": "C",
    r"(?:background|clinical|medical|common|world|domain) knowledge": "IN",
    r"(?:conclusion|hypothesis|it|claim|statement) is (?:certain|true|guaranteed|correct)": "EI",
    r"(?:says?|states?) so|can be (?:inferred|concluded|derived|deduced)": "EI",
    r"it is (?:false|untrue)": "C",
    r"conflicts? with|clash\w*|cannot both|can't both|both cannot|impossible|"
    r"exclude each other": "C",
    r"(?:deny|denies|rejects?|excludes?|precludes?|forbids?|negates?) (?:it|this|that|"
    r"the (?:conclusion|"
    r"claim|"
    r"hypothesis|statement))": "C",
    r"rules? (?:it|this|that|the \w+) out|rules? out (?:it|this|that|the (?:conclusion|claim|"
    r"hypothesis|statement))": "C",
    r"must (?:be (?:so|true|the case|right|correct)|hold|follow)|word for word|verbatim": "E",
    r"(?:certainly|definitely|always|necessarily|surely) (?:true|holds?|so|follows?)": "E",
    r"(?:is|are) (?:explicitly|directly|clearly) stated|guarantees? (?:it|this|that|the)": "E",
    r"follows (?:directly|necessarily|logically|strictly|immediately|from)": "EI",
    r"(?:supports?|confirms?|establish\w*|proves?) (?:it|this|that|the (?:conclusion|claim|"
    r"hypothesis|statement))": "EI",
    r"compatible|consistent|both (?:can|could|may|might) (?:hold|be)|no conflict": "EIN",
    r"(?:conclusion|hypothesis|it|this|claim|statement) (?:\w+ )?follows": "EI",
    r"(?:they|both|texts|statements) (?:\w+ )?agree": "EI",
    r"(?:states?|says?) (?:exactly|precisely|just|literally) (?:this|that|it|so)": "EI",
    r"(?:says?|states?|shows?|claims?) (?:otherwise|the (?:reverse|contrary))": "C",
    r"both (?:can't|cannot|can not)|contrary to|at odds": "C",
    r"(?:conclusion|hypothesis|claim|statement) (?:fails|is (?:false|wrong|untrue))": "NC",
    r"can both (?:hold|be)|(?:hold|be true) together|at the same time be true": "EIN",
}
_ALWAYS: Final[dict[str, str]] = {
    r"cannot coexist|can't coexist": "C",
    r"overreach\w*|adds information|broader|partial(?:ly)?|weakly|probably|might be so": "IN",
    r"nothing to do|independent of each other|they are independent": "N",
    r"(?:not|n't|cannot|cant) (?:necessarily|strictly|directly|logically|fully|"
    r"strictly speaking) (?:be )?\w+": "INC",
    r"(?:not|n't|cannot|cant) (?:have to |need to )?(?:follow|hold|support\w*|establish\w*|"
    r"prove\w*)": "NC",
    r"(?:not|cannot) be (?:inferred|concluded|derived|deduced)|no (?:support|evidence|basis)": "NC",
    r"(?:not|n't|cannot|cant) (?:guarantee\w*|suffice|sufficient|enough)|insufficient|"
    r"too strong": "IN",
    r"(?:not|n't) (?:be )?(?:certain|proven|explicit)|speculat\w*": "IN",
    r"too (?:general|broad|specific|narrow|absolute)|overly \w+": "INC",
    r"(?:not|n't) (?:mention|say|state|address|discuss|cover)": "INC",
    r"different (?:things|topics|subjects|matters|questions)|no (?:relation|connection|"
    r"link)\w*": "N",
    r"nothing (?:can|may|could) be \w+": "N",
    r"(?:cannot|can't|can not) be (?:true|right|correct)|must be (?:false|untrue|wrong)": "C",
    r"overstat\w*|goes? (?:well |far )?beyond|not (?:explicitly |directly )?(?:stated|"
    r"mentioned)": "IN",
    r"plausible|(?:only|merely|just|at most|at best) (?:\w+ )?(?:likely|probable|possible|"
    r"suggest\w*)": "IN",
    r"(?:likely|probable|possible|suggested) (?:only|at (?:most|best))|silent": "IN",
    r"(?:left?|leaves?|leaving|remains?|is|are|stays?)(?: \w+){0,3} (?:open|undecided|"
    r"undetermined)": "N",
    r"equally (?:\w+ )?(?:false|true|well|likely|possible)|either way|unrelated|irrelevant": "N",
    r"(?:can|could|may|might) (?:just |as |well |also |still |equally ){0,3}be (?:false|wrong|"
    r"untrue)": "N",
    r"(?:not|n't|cannot|cant) (?:be )?(?:tell|say|told|determined?|decided?|known|clear|"
    r"judged?)": "N",
    r"unknown|uncertain|unclear|undetermined|undecidable|neither (?:\w+ )?nor|no information": "N",
    r"nothing (?:about|links?|connects?|on)|not (?:enough|sufficient) (?:information|data)": "N",
}

SENSES: Final = tuple(
    (pattern, frozenset(label for label in _LABELS if label[0].upper() in letters), always)
    for table, always in ((_IF_NOT_NEGATED, False), (_ALWAYS, True))
    for pattern, letters in table.items()
)
"""What explains only some labels: regular expression, these, whether "not" changes nothing."""

UNSURE: Final = (
    r"(?:confidence|probability|certainty|likelihood|score|sureness)(?: \w+)?\s*(?:[:=|>]|is)\s*"
    r"(?:-\s?\d|0(?:[.,]0*|[.,][01]\d*)?(?!\.?\d)|1?\d(?:\.\d+)?\s?%|zero|none|null|nil|"
    r"very low|low)(?!\w)",
    r"(?<=\w)\s*[:=|]\s*(?:false|no|nein|non)\s*(?:$|[,;|}])",
    r"(?:deleted|skip\w*|ignored?|failed|failure|error|negated|negation|negative|inverted|"
    r"invalid|wrong|incorrect|rejected|refus\w+|abstain\w*|"
    r"retracted|withdrawn|placeholder|draft|uncertain|unsure|unknown|not|void|dummy)"
    r"\s*[:=|>]\s*(?:true|yes|1)\b",
    r"(?:correct|valid|holds|sure|certain|usable|final)\s*[:=|>]\s*(?:0|false|no|none|null)\b",
    r"(?<!\w)(?:p|prob|votes?|weight)\s*[:=|>]\s*0(?:\.0*)?(?![.\d])",
    r"\[[\s-]*\]|\(\s*\)|[☐□⬜◻▢❏]",
)
"""Fields and boxes beside a label that say it does not count: regular expressions."""

REASONS: Final = (
    *("so", "thus", "therefore", "hence", "consequently", "accordingly", "daher", "also", "donc"),
    *("ainsi", "quindi", "por tanto", "portanto", "поэтому", "因此", "所以"),
)
"""What stands between a reason and the label that it gives."""

GROUNDS: Final = (
    *("based on", "after", "since", "because", "as", "considering", "having", "from", "given"),
    *("looking at", "reading"),
)
"""What begins the grounds that stand before a label in its sentence."""
