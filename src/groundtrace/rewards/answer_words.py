"""Words by which a final response tells its answer, takes it back or rules something out.

Each table is one alternation of a regular expression. Languages are those that models are asked
in most; another one costs a line here, and an answer in a language that is not listed is found
only where it stands alone.
"""

ANSWER = (
    r"answers?(?!\s+(?:choices|options))|(?:option|choice|alternative|diagnosis|letter)(?!s)"
    r"|conclusion|verdict|final|result|solution|ergebnis"  # English
    r"|réponse|choix|respuesta|opción|resposta|alternativa|opção|letra|risposta|opzione"
    r"|antwort|lösung|antwoord|svar(?:et)?|odpowied(?:ź|zi)|odpověď|odpoveď|válasz|cevap|yanıt"
    r"|vastaus|răspuns(?:ul)?|ответ(?:ом)?|відповідь|отговор(?:ът)?|odgovor|απάντηση"
    r"|đáp án|câu trả lời|jawaban(?:nya)?|kunci|jibu|الإجابة|الجواب|پاسخ|جواب|התשובה|תשובה"
    r"|उत्तर|उतर|উত্তর|பதில்|คำตอบ|ตอบ|答案|答え|回答|解答|正解|选择?|選択?|应选|應選|정답|답"
)
"""Nouns before an answer."""

LINK = (
    r"\bis\b|\bwould be\b|\bshould be\b|\bmust be\b|\bto be\b|[:=→]|->|=>"
    r"|\best\b|\bsería\b|\bserait\b|\bes\b|\bé\b|\bè\b|\bist\b|\blautet\b|\bär\b|\ber\b"
    r"|\bto\b|\bje\b|\bon\b|\bэто\b|\bце\b|\bείναι\b|\blà\b|\badalah\b|\bni\b|هي|هو|היא|הוא|คือ|是|为|為|は|은|는"
)
"""What joins an English or other noun and its answer."""

JOINED = r"[\u0400-\U0010ffff]\Z"
"""A noun in another alphabet needs no link."""

CHOOSING = r"choose|pick|select|go with|opt for|choosing|selecting|going with|選ぶ|选|選"
CONNECTORS = (
    r"so|therefore|thus|hence|consequently|accordingly|in conclusion|overall|finally|ergo|donc"
    r"|also|daher|deshalb|por (?:lo )?tanto|portanto|quindi|dunque|因此|所以|故|よって|따라서|поэтому"
    r"|it is|it's|it must be|this is|that is|that's|c'est|es la|es|das ist|namely|option|choice"
    r"|answer|letter|the|i say|sure|it should be|it would be"
)
"""What may stand before an answer that is otherwise alone."""

OR = (
    r"and|or|and/or|&|/|,|vs\.?|versus|to|ou|et|o|y|e|ed|und|oder|en|of|och|eller|og|i|lub|albo"
    r"|a|nebo|és|vagy|ve|veya|и|или|і|або|και|ή|và|hoặc|dan|atau|و|أو|או|और|या|และ|หรือ"
    r"|和|或者?|与|與|及|、|と|または|か|와|과|또는|이나"
)
"""What stands between two answers, of which neither is the one."""

NOT = (
    r"\bnot\b|n't\b|\bcannot\b|\bnever\b|\bneither\b|\bnor\b|\bexcept\b|\bwrong\b|\bincorrect\b"
    r"|\bfalse\b|\bunlikely\b|\bexclud\w*|\brul(?:e|es|ed|ing) out\b|\beliminat\w*|\bcontraindicated\b"
    r"|\binstead of\b|\brather than\b|\bthan\b|\bunlike\b|\bwithout\b|\bdoes no\b|\bno longer\b"
    r"|\bopposite\b|\bworst\b|\bsecond[- ](?:best|choice)\b|\brunner-up\b"
    r"|\binappropriate\b|\bavoid\w*|\bhas no\b|\bhave no\b|[✗✘❌×]|\bworse\b|\bunsuitable\b"
    r"|\bpas\b|\bne\b|\bn'est|\bni\b|\bno(?= es\b)|\bnão\b|\bnon\b|\bnicht\b|\bkeine?\b|\bfalsch\b|\bniet\b"
    r"|\binte\b|\bikke\b|\bnie\b|\bnení\b|\bnem\b|\bdeğil\w*|\bне\b|\bнет\b|\bδεν\b|\bkhông\b|\bbukan\b"
    r"|\bنیست|ليس|ليست|لا|לא|नहीं|ไม่|不|非(?!常)|没|沒|错|錯|ではな|ない|ません|아니|아닙|않"
)
"""What rules an answer out, before or after it."""

HEDGES = (
    r"\bif\b|\bunless\b|\bwhether\b|\bmaybe\b|\bperhaps\b|\bpossibl[ey]\b|\bmight\b|\bmay\b|\bcould\b"
    r"|\beither\b|\bdepend\w*|\bsuppose\b|\bassum\w+|\botherwise\b|\bone of\b|\bsome\b|\banother\b"
    r"|\b(?:friend|colleague|teacher|professor|classmates?|they|he|she|others|people|some(?:one|body))"
    r"\b[^.\n]{0,30}\b(?:said|says?|claim(?:s|ed)?|thinks?|thought|believed?s?|answered|argued?s?)\b"
    r"|\bthe (?:\w+ )?(?:format|template|form) (?:is|should be|must be)\b"
    r"|\b(?:example|sample) (?:answer|output|response)\b"
    r"|\bstudent\b|\bpatient's\b|\bpeut-être\b|\bvielleicht\b|\bquizás?\b|\btalvez\b|\bforse\b"
    r"|可能|也许|或许|かもしれ|아마|возможно|\bsi\b|\bwenn\b|如果"
)
"""What makes an answer none: a condition, a doubt, what somebody else says."""

COUNTERFACTUAL = r"^\W*(?:(?:had|were)\s+(?!\w+\s*$)\w+|if)\b"
"""How a condition begins that does not hold, if the answer then *would be* one."""

CORRECTIONS = (
    r"\bwait\b|\bactually\b|\bcorrection\b|\bscratch that\b|\bon (?:second thought|reflection|checking)"
    r"|\bi was wrong\b|\bmy mistake\b|\bhmm\b|\bon the other hand\b|\bhowever\b|\bsorry\b|\brather,"
    r"|\b(?:that|this|it|which) (?:is|was) (?:wrong|incorrect|not)|\bon reconsider\w*|\bapologi\w+"
    r"|\bi (?:\w+ )?disagree\b|\b(?:just|only) (?:kidding|joking)\b|\bnever ?mind\b"
    r"|等等|不对|不對|更正|いや|待って|아니요|잠깐"
)
"""What takes back what was said before it."""

GIVING = (
    r"is|are|be|was|recommends?|suggests?|indicates?|give|start|use|prescribe|administer|begin"
    r"|initiate|order|perform|prefers?"
)
"""Verbs before the text of an option at the end of a clause."""

NAMES = (
    r"appendix|hepatitis|vitamin|group|type|class|grade|stage|factor|figure|fig\.?|table|part|section"
    r"|step|question|case|patient|drug|protein|immunoglobulin|category|arm|cohort|serotype|strain"
)
"""Words that a letter after them belongs to: it names no option."""
