"""Awkward texts with the splits that a careful reader would make, written by hand.

The mark ‖ stands where one segment ends and the next begins; white space around it belongs to
neither. Used by the tests of segmentation and by benchmarks/splitters.py. Texts about
abbreviations, numbers, missing blanks and elements, in ten languages, stand in the folder ``cuts``.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MARK = "‖"
CUTS = Path(__file__).parent / "cuts"


class Case(NamedTuple):
    """One text and its splits."""

    kind: str
    marked: str
    held_out: bool = False
    """Written after the rules, to see how they do on what they were not made for."""
    group: str = "awkward"
    """The list that it stands in: this file, or a file of the folder ``cuts``."""
    language: str = "en"

    @property
    def text(self) -> str:
        """The text without the marks."""
        return self.marked.replace(MARK, "")

    @property
    def segments(self) -> list[str]:
        """The segments that are expected, stripped."""
        return [piece.strip() for piece in self.marked.split(MARK)]


DECIMALS = [
    "Fevers up to 38.5°C were noted. ‖WBC was 10.72×10^9/L, mildly elevated.",
    "Creatinine 1.38 mg/dL (ref. 0.6–1.2). ‖Urea 73.4 mmol/L.",
    "The dose is 0.5 mg/kg b.i.d. for 7 days. ‖It was raised to 1.0 mg/kg.",
    "The pH fell to 7.1. ‖The pCO2 rose to 60 mmHg.",
    "The ratio is .75 here. ‖It was 1.5e-3 before.",
    "Version 2.10.3 changed this. ‖Version 3. is not out.",
    "He ran 5 km. ‖She ran 10 km.",
    "Sodium was 128 mmol/L. ‖70 mg of furosemide was given.",
    "The value is 3.14. ‖3 is its whole part.",
    "The price rose from $5.50 to $6.25. ‖Nobody bought it.",
    "It costs $5 today. ‖Tomorrow it costs $6 or more.",
    "Section 4.2.1 says so. ‖See also 4.2.2.",
    "BP 120/80 mmHg, HR 72 bpm, temp. 36.6 °C. ‖No distress.",
    "The interval was 95% CI 1.2–3.4, p < .05. ‖This is significant.",
]

ABBREVIATIONS = [
    "Give antibiotics (e.g. ceftriaxone) at once. ‖Then wait.",
    "Give antibiotics, e.g., Ceftriaxone, at once. ‖Then wait.",
    "It is constitutive, i.e. Always on. ‖That is choice A.",
    "Fluids were given i.v. and p.o. for a day. ‖He improved.",
    "He got 1 L i.v. ‖Then he slept.",
    "Dr. Smith saw Mrs. Jones. ‖Prof. Lee agreed.",
    "Smith et al. [2004] found this. ‖Others disagree.",
    "This was shown by Smith et al. (2004). ‖Others disagree.",
    "Smith et al. Found this odd. ‖Others disagree.",
    "See Fig. 3 and Eq. (2). ‖Tab. 4 is wrong.",
    "It took approx. 3 h. ‖Later it took more.",
    "Consider SAS vs. LAS here. ‖LAS fits.",
    "Compare A vs. B. ‖B is better.",
    "The protein binds in E. coli and in S. aureus. ‖It folds.",
    "The U.S. Government paid. ‖The U.K. did not.",
    "He moved to the U.S. ‖Then he came back.",
    "He has a Ph.D. in physics. ‖She has an M.D.",
    "It opens at 9 a.m. and closes at 5 p.m. ‖Come early.",
    "Use iron, zinc, etc. as needed. ‖Check the levels.",
    "We saw fever, chills, etc. ‖Then it stopped.",
    "Cf. Sec. 2 for details. ‖No. 5 is missing.",
    "St. Mary's Hosp. treated J. R. R. Tolkien. ‖He left.",
    "Acme Inc. was sued by Foo Ltd. in Jan. 2020. ‖It lost.",
    "The answer is No. ‖We must stop.",
    "The answer is C. ‖This follows from step 2.",
    "The affected nerves are IX and X. ‖XI is spared.",
    "Vitamin B12 and vitamin C. ‖Then vitamin D.",
    "It is caused by the vagus nerve (cranial nerve X). ‖This fits.",
    "The max. dose is 4 g, the min. dose 1 g. ‖Both are safe.",
    "St. pneumoniae, resp. S. aureus, grew. ‖Treat both.",
]

LISTS = [
    "1. Fever is present.\n‖2. WBC is high.\n‖3. CRP is high.",
    "1.  **Analyze the request:** The user asks for one diagnosis. ‖It goes in a box.\n\n"
    "‖2.  **Key findings:**\n    ‖*   **Patient:** a woman of 78 years.\n"
    "    ‖*   Fevers up to 38.5°C.\n        ‖*   Anorexia",
    "- Nausea\n‖- Vomiting\n‖- Pain in the RUQ",
    "* first point. ‖It goes on.\n‖* second point",
    "(a) The set is open. ‖It is bounded.\n‖(b) The set is closed.",
    "a) Use iron\n‖b) Use zinc",
    "• Fever\n‖• Chills\n‖– Sweats",
    "The triad of (1) pneumobilia, (2) obstruction, and (3) a stone is known. ‖It is rare.",
    "Step 1. Two foci are given. ‖So |PF1 - PF2| = 24.\n\n‖Step 2. Recall the constant.",
    "Step 1: Recall the operon.\n‖Step 2: Analyze choice A.\n‖Solution: Choice A",
    "**Step 1.** Find the centre.\n‖**Step 2.** Find c.",
    "iv. The fourth case holds.\n‖v. The fifth fails.",
    "1) Read the case\n‖2) Decide\n   which drug to use\n‖3) Answer",
    "- **1.1** Log in to the site. ‖This makes a record.\n\n‖- **1.2** Enable caching.",
    "1. \n   The marker stands alone.\n‖2. The next does not.",
    "Options:\n‖A. Iron\n‖B. Zinc\n‖C. Both",
    "1、先看症状。‖再看体征。\n‖2、给出诊断",
    "- [x] Take the history.\n‖- [ ] Order a CT.",
]

LATEX = [
    "Let $x. Y = 3$ hold. ‖Then $y$ is 2.",
    "We know $a < b$. ‖$b$ is positive.",
    "We have $\\frac{12}{-2} = -6$. ‖Thus $q = -6.5$.",
    "So we get:\n\\[ x = 1. \\]\n‖Then we stop.",
    "So we get\n$$\nx = 1.\n\ny = 2.\n$$\nwhere $x$ is the root. ‖It is unique.",
    "So we get:\n\n$$x = 1$$\n\n‖This ends it.",
    "Consider\n\\begin{align}\na &= b. \\\\\n\nc &= d.\n\\end{align}\n‖It holds.",
    "The set \\(A. B\\) is open. ‖The set \\(C\\) is not.",
    "The system is\n\\begin{cases} x. \\begin{cases} y. \\end{cases} Z. \\end{cases}\n‖Solve it.",
    "It costs $5. ‖He paid $6. ‖They have $x = 2$ now.",
    "Substitute p = -2 into the expression:\n$\\frac{12}{-2} = -6$\n‖Multiply both sides by -1.",
    "Hence\n\\boxed{16}",
    "The answer is \\boxed{Loose Anagen Syndrome. Type A}. ‖Done.",
    "If $f(x) = 0.$ ‖Then $x = 1.$",
]

CODE = [
    "Run this:\n```bash\nnpm install. Now\n\nls -la\n```\n‖Then stop.",
    "Run this:\n\n```python\nx = 1\n\nprint(x)\n```\n\n‖It prints 1.",
    "~~~\na. B. C.\n```\nstill code\n~~~\n‖The end.",
    "Call `foo.bar()`. ‖Call `a. B` again.",
    "Use `x = 1. Y` here. ‖Use ``a ` b. C`` there.",
    "1. Do this:\n   ```py\n   a = 1\n\n   b = 2\n   ```\n‖2. Then that.",
    "The code\n```\nwas never closed. It goes\nto the blank line.\n\n‖Then the text. ‖It goes on.",
]

TABLES = [
    "| Test | Value |\n|------|-------|\n| CRP | 72.7. High |\n| WBC | 10.7 |\n\n‖CRP is high.",
    "The labs are:\n\n| Test | Value |\n|:-----|------:|\n| CRP | 72. It |\n‖They are bad.",
    "a | b\n--|--\n1. | 2. Yes\n\n‖Done.",
    "If |x| > 1 it diverges. ‖If |x| < 1 it does not.",
]

HEADINGS = [
    "## Step 1\n\nThe centre is (-3, 2). ‖Now find c.",
    "## Step 1: Find the centre\nThe centre is (-3, 2).",
    "# Plan\n\n‖- First\n‖- Second",
    "# Plan\n\n‖## Part A\n\nText of A.",
    "**Best practices:**\n\n‖- Use version control.\n‖- Test.",
    "**Set up the tool**\n\n```bash\nnpm run. X\n```\n\n‖The end.",
    "Text before.\n\n‖# Final Answer\n\n\\boxed{16}",
    "Findings\n========\n\nThere is fever. ‖It is high.",
]

QUOTES = [
    'He said "Stop. Wait." ‖Then he left.',
    'The question asks for "your diagnosis." ‖This could be both.',
    "(This is an aside.) ‖It goes on.",
    "It fails (see above). ‖It fails again.",
    'The final stack is "(". ‖We pop it.',
    "“It is late.” ‖She slept.",
    "*It is an ectopic stone.* ‖(This explains it.)",
    "**It is late.** ‖She slept.",
    "The patient's pain isn't new. ‖It's Bouveret's syndrome.",
]

PROSE = [
    "How do these happen together? ‖A stone erodes the wall!",
    "Really?! ‖Yes... ‖Maybe.",
    "Wait... that is wrong. ‖Let me see… ‖It is right.",
    "Is it A? ‖No, it is B. ‖B fits.",
    "Hmm. ‖Okay, so the sign is negative. ‖Wait, no.",
    "It is late! ‖and yet it moves.",
    "Biopsy... increased telogen hair with a decreased ratio. ‖It fits.",
    "h = -3, k = 2, a = 12, b = 5. ‖Adding them: 16.",
    "f.e. is short. ‖Yahoo! Inc. is a firm.",
    "x is even; y is odd. ‖so z is odd.",
]

SCRIPTS = [
    ("chinese", "患者体温38.5°C。‖白细胞10.72×10^9/L！‖这是感染吗？‖是的。"),
    ("chinese", "他说：“我病了。”‖然后他走了。"),
    ("chinese", "首先，我们看A。‖B不对；C也不对。"),
    ("chinese", "答案是 B。‖The answer is B. ‖结束……‖完了。"),
    ("chinese", "见图3.2（如下所示。）‖再看表1。"),
    ("japanese", "患者は38.5度の発熱がある。‖白血球は高い。‖感染症か？‖そうだ！"),
    ("japanese", "「痛い。」と彼は言った。‖「はい。」‖彼は帰った。"),
    ("japanese", "これはＡである．‖次はＢだ。"),
    ("arabic", "درجة الحرارة 38.5 مئوية. ‖هل هذا التهاب؟ ‖نعم! ‖المريض بخير."),
    ("arabic", "قال د. أحمد إن المريض بخير. ‖ثم خرج؛ وعاد."),
    ("urdu", "مریض کو بخار ہے۔ ‖کیا یہ انفیکشن ہے؟ ‖جی ہاں۔"),
    ("hindi", "रोगी को 38.5°C बुखार है। ‖क्या यह संक्रमण है? ‖हाँ। ‖डॉ. शर्मा सहमत हैं।"),
    ("hindi", "यह पहला है॥ ‖यह दूसरा है।"),
    ("russian", "Температура 38,5 °C, т.е. высокая. ‖Это инфекция? ‖Да."),
    ("german", "Der Wert ist z.B. 3,5 mg/l. ‖Das ist hoch. ‖Am 3. Mai sank er."),
    ("french", "La valeur est élevée (cf. fig. 2). ‖Est-ce grave ? ‖Oui."),
    ("spanish", "¿Es grave? ‖Sí, el Sr. López lo dijo. ‖¡Rápido!"),
]

LINE_ENDS = [
    "First line.\r\n‖Second line.\r\n\r\n‖Third.",
    "1. One\r\n‖2. Two\r\n   goes on\r\n‖3. Three",
    "So:\r\n\r\n```py\r\na. B\r\n\r\nc\r\n```\r\n‖End.",
    "The operon protein binds to the operator and this prevents\nthe transcription of genes. ‖Yes.",
    "stack: empty\n‖< ; stack: <\n‖( ; stack: < (",
    "One\r‖Two\r\r‖Three",
    "Tabs\there.\t‖And there.  \n‖Next.",
    "One part\n \t \n‖Another part",
    "A line that ends with a comma,\nAnd goes on. ‖Yes.",
    "The first line ends with two spaces  \n‖the second stands alone",
]

URLS = [
    "See https://example.org/a.B?q=1. ‖Then stop.",
    "See https://example.org/wiki/A_(b.C)! ‖Then stop.",
    "Write to john.Smith@example.org. ‖He answers.",
    "Use Node.js and Vue.js. ‖Both work.",
    "See [the page. Here](https://example.org/x. Y) now. ‖Then stop.",
    "Open data/a.B.txt. ‖Read it.",
]

SYMBOLS = [
    "It is done.\n\n---\n\n‖Next part.",
    "***\n\nFirst. ‖Second.",
    "It holds. ∎ ‖Next we show it. 🎉",
    "🙂 Good. ‖😀👍🏽 Better.",
    "Ends here.\n\n...\n\n‖Starts again.",
]

MORE = [
    ("decimals", "Hb was 9.8 g/dL. ‖MCV was 72 fL. ‖Ferritin was < 10 ng/mL."),
    ("decimals", "Give 2.5 mL q8h. ‖Repeat after 30 min. ‖Stop at 10 mL."),
    ("decimals", "The speed is 9.81 m/s². ‖After 2.0 s it is 19.62 m/s."),
    ("decimals", "The p-value is 0.03. ‖95% of cases recover."),
    ("decimals", "K+ 5.9 mEq/L, Na+ 131 mEq/L. ‖ECG: peaked T waves."),
    ("decimals", "The file is 1.5 GB. ‖It takes approx. 2.5 h. to copy."),
    ("decimals", "He is 1.80 m tall and weighs 82.5 kg. ‖BMI is 25.5."),
    ("abbreviations", "Mr. and Mrs. Brown came. ‖Their son, John Jr., did not."),
    ("abbreviations", "It inhibits COX (i.e., cyclooxygenase). ‖This lowers pain."),
    ("abbreviations", "See ref. 12, pp. 3-5, and Suppl. Fig. S2. ‖It is clear."),
    ("abbreviations", "The study (Lee et al., 2019; Kim et al., 2020) was small. ‖It was blind."),
    ("abbreviations", "Sgt. Miller lives on Main St. in Boston. ‖He is 40."),
    ("abbreviations", "Pt. has hx. of HTN, DM, etc. ‖Meds are unchanged."),
    ("abbreviations", "C. difficile toxin is positive. ‖Start vancomycin p.o. q.i.d. for 10 days."),
    ("abbreviations", "This is true, cf. Theorem 2.3. ‖Prop. 4 is similar."),
    ("abbreviations", "In the U.S., it is legal. ‖In the E.U. it is not."),
    ("abbreviations", "The company, i.e. Foo Corp., lost. ‖Bar GmbH & Co. KG won."),
    ("abbreviations", "The correct option is (B). ‖Option (A) is wrong."),
    ("abbreviations", "It was ca. 5 a.m. when he woke. ‖He slept again."),
    ("lists", "Let me list them:\n‖1. Anemia (Hb 9.1)\n‖2. Fever. ‖It is new.\n‖3. Pain"),
    ("lists", "- Age: 45\n‖- Sex: F\n  ‖- Pregnant: no. ‖Tested today.\n\n‖Now the exam."),
    ("lists", "First, (i) compute a; (ii) compute b. ‖Then add."),
    ("lists", "Step 1 - Find x.\n‖Step 2 - Find y.\n\n‖Therefore, x + y = 3."),
    ("lists", "1. **Anemia**\n   ‖- Iron is low. ‖Start iron."),
    ("lists", "A) 5 mg\n‖B) 10 mg\n‖C) 15 mg\n\n‖The answer is B."),
    ("lists", "* *Fever*: 39.1 °C. ‖High.\n‖* *Cough*: dry"),
    ("lists", "(1) If n is even, stop.\n‖(2) If n is odd, set n = 3n + 1. ‖Go to (1)."),
    ("lists", "10. Tenth point. ‖More on it.\n‖11. Eleventh point."),
    ("latex", "Since $\\sqrt{2} \\approx 1.414$, it follows. ‖Now $n=3$. ‖So $m=4$."),
    ("latex", "By the chain rule,\n\\[\n f'(x) = 2x.\n\\]\n‖Setting it to zero gives $x = 0$."),
    ("latex", "Thus $$\\int_0^1 x\\,dx = 0.5.$$ ‖The area is 0.5."),
    ("latex", "The answer is $\\boxed{42}$."),
    ("latex", "We need \\(x > 0\\). ‖Otherwise \\(\\ln x\\) is undefined."),
    ("latex", "Let $A = \\{1, 2. 3\\}$ and $B$. ‖Then $A \\cap B$ is empty."),
    ("latex", "Therefore,\n\n$$\nE = mc^2\n$$\n\n‖where $m$ is the mass."),
    ("latex", "It costs between $3.50 and $4.50. ‖A profit of $1.00 remains."),
    ("code", "The function `os.path.join(a, b)` joins paths. ‖It returns a str."),
    ("code", "Here is the fix:\n```diff\n- a. b\n+ c. D\n```\n\n‖It compiles now. ‖Good."),
    ("code", "Type `exit()`. ‖`quit()` works too."),
    ("tables", "Summary:\n\n| a | b |\n|---|---|\n| 1. x | 2. Y |\n\n‖So a wins. ‖b loses."),
    ("headings", "### 2. Differential Diagnosis\n\nThe leading cause is PE. ‖DVT is likely."),
    ("headings", "**Conclusion:** The cause is PE. ‖Treat now."),
    ("headings", "**Conclusion**\n\nThe cause is PE. ‖Treat now."),
    ("quotes", 'She asked, "Is it safe?" ‖He said no.'),
    ("quotes", "The so-called 'rule of 9s' applies. ‖See chart."),
    ("quotes", '"It depends," he said. ‖"On what?"'),
    ("quotes", "It was positive (p < 0.01). ‖[Note: one case was lost.] ‖It held."),
    ("prose", "Let me think... ‖So the user wants X. ‖Hmm, but is it?"),
    ("prose", "Wait—no. ‖That's not right! ‖Let me redo it."),
    ("prose", "Actually, hold on: 3 + 4 = 7, not 8. ‖Right."),
    ("prose", "so the answer is yes. ‖but let me check. ‖ok it is fine."),
    ("prose", "The mRNA is degraded. ‖eGFR was 30. ‖pH was 7.1."),
    ("line ends", "Premise: all cats purr\n‖Premise: Tom is a cat\n‖Conclusion: Tom purrs"),
    ("line ends", "Given:\r\n‖- a = 1\r\n‖- b = 2\r\n\r\n‖Find a + b."),
    ("urls", "The source is www.example.org/page.html. ‖It is free."),
    ("urls", "(See https://example.org/a_(b).) ‖Next."),
    ("symbols", "✅ Correct. ‖❌ Wrong."),
    ("symbols", "A → B. ‖B → C. ‖∴ A → C."),
    ("chinese", "根据检查结果，血红蛋白为9.8g/dL。‖因此，诊断为“缺铁性贫血”。‖建议补铁。"),
    ("chinese", "问题：x等于多少？‖解：x=3.5，所以答案是3.5。"),
    ("japanese", "まず、式を整理します。‖x=1.5です。‖したがって答えは「Ａ」です。"),
    ("arabic", "المريض عمره 45 سنة. ‖يعاني من ألم؛ لا توجد حمى. ‖ما التشخيص؟"),
    ("hindi", "हीमोग्लोबिन 9.8 g/dL है। ‖यह कम है। ‖निदान क्या है?"),
    ("korean", "체온은 38.5도입니다. ‖감염일까요? ‖네, 그렇습니다."),
    ("french", "M. Dupont a 45 ans. ‖Il prend p. ex. du fer. ‖C'est tout."),
]

HELD_OUT = [
    ("decimals", "Troponin I peaked at 4.27 ng/mL (normal < 0.04). ‖An ECG showed ST elevation."),
    ("decimals", "Multiply 12.5 by 4. ‖The product is 50. ‖Divide it by 2.5 to get 20."),
    ("decimals", "At t = 0.5 s, v = 4.9 m/s. ‖At t = 1.0 s, v = 9.8 m/s."),
    ("decimals", "He was given 1 g i.v. ceftriaxone and 500 mg p.o. azithromycin. ‖He improved."),
    ("decimals", "About 2.5% of men are affected. ‖3 of 4 recover."),
    ("abbreviations", "According to Jones et al. [12], the test is 90% sensitive. ‖It is cheap."),
    ("abbreviations", "The patient, Mr. K. Weber, lives in St. Louis. ‖He works for Apple Inc."),
    ("abbreviations", "H. pylori causes ulcers; so do NSAIDs, e.g. Ibuprofen. ‖Stop them."),
    ("abbreviations", "Both N. meningitidis and S. pneumoniae are likely. ‖Give ceftriaxone."),
    ("abbreviations", "The answer must be D. ‖Options A, B and C are excluded."),
    ("abbreviations", "Use Eq. 3 (see Sect. 2.1) and Fig. 4b. ‖The slope is negative."),
    ("abbreviations", "It was approved on Jan. 5, 2021. ‖Sales began in Feb. of that year."),
    ("abbreviations", "This is, e.g., a class II lesion. ‖Compare Vol. 3, p. 12."),
    ("abbreviations", "The drug is contraindicated, esp. in CKD. ‖Avoid it."),
    ("lists", "Key points:\n\n‖1. **Onset**: sudden. ‖It began at 3 a.m.\n‖2. **Course**: stable"),
    ("lists", "- Pro: cheap\n‖- Con: slow. ‖Very slow, in fact.\n\n‖I choose the first."),
    ("lists", "Step 3: Add the numbers: 3 + 4 = 7.\n‖Step 4: The total is 7. ‖So the answer is 7."),
    ("lists", "i) Check the pulse\n‖ii) Check the airway. ‖Call for help.\n‖iii) Begin CPR"),
    ("lists", "1. First claim.\n   ‖It has a second line.\n‖2. Second claim."),
    ("lists", "## Differential\n‖- PE: likely. ‖D-dimer is high.\n‖- MI: unlikely"),
    ("lists", "**Q1.** What is x? ‖**A1.** It is 2."),
    ("latex", "The roots of $x^2 - 5x + 6 = 0$ are $x = 2$ and $x = 3$. ‖Both are prime."),
    ("latex", "Substituting, we obtain\n$$\na^2 + b^2 = c^2.\n$$\n‖Therefore $c = 5$."),
    ("latex", "Using the formula:\n\n\\[\nA = \\pi r^2\n\\]\n\n‖we get $A = 78.5$. ‖Round it."),
    ("latex", "Let $f: X \\to Y$. ‖Suppose $f$ is injective. ‖$f^{-1}$ exists on $f(X)$."),
    ("latex", "Note that $\\Pr[A \\mid B] = 0.3$; hence $\\Pr[A, B] = 0.06$. ‖Done."),
    ("latex", "We want \\(n!\\) for \\(n = 5\\). ‖It is \\(120\\)."),
    ("latex", "So the final answer is:\n\n$\\boxed{12}$"),
    ("code", "Call `df.groupby('a').sum()` first. ‖Then plot it."),
    ("code", "1. Install it:\n\n   ```sh\n   pip install x\n   ```\n\n‖2. Run it."),
    ("code", "Output:\n```\nError. Line 3.\n```\n‖The error is a typo. ‖Fix it."),
    ("tables", "| Drug | Dose |\n|---|---|\n| A | 1. |\n| B | 2. |\n‖Choose drug A. ‖It is safer."),
    ("headings", "# Answer\n\n**B**\n\n‖The reason is simple. ‖It fits."),
    ("headings", "#### Step 2: Compute c.\n\nHere c = 13. ‖So b = 5."),
    ("headings", "**Why it matters:** Delay is fatal. ‖Act now."),
    ("quotes", "The note says “No fever. No cough.” ‖This rules out flu."),
    ("quotes", 'Is "all men are mortal" true? ‖Yes.'),
    ("quotes", "(Recall that n > 0.) ‖Then n + 1 > 1."),
    ("quotes", "He (the patient) smoked (20 pack-years). ‖He quit (in 2010)."),
    ("prose", "Okay, let's see. ‖The user asks about X... ‖Hmm, wait, is that right?"),
    ("prose", "No way! ‖But why? ‖Because it is odd."),
    ("prose", "First, the fever; second, the rash: both fit. ‖Third, the travel."),
    ("prose", "I think it is B—no, C. ‖Let me check again."),
    ("prose", "It isn't 5 a.m. yet. ‖It's 4 a.m. ‖He sleeps."),
    ("line ends", "All cats are mammals.\n‖Tom is a cat.\n‖Tom is a mammal."),
    ("line ends", "x = 3\r\n‖y = 4\r\n‖x + y = 7"),
    ("line ends", "Answer: B\n‖Explanation: The nerve is cut. ‖It cannot heal."),
    ("urls", "Source: https://www.who.int/news/item/1.2-x. ‖Accessed today."),
    ("urls", "Email a.b@c.org or see c.org/help. ‖They reply fast."),
    ("symbols", "⇒ x > 0. ‖⇒ x = 1."),
    ("symbols", "### ✅ Result\n\nIt works. 🎉"),
    (
        "chinese",
        "第一步：计算面积。‖面积为3.14×2.5²≈19.6。‖第二步：求体积（高为2米）。‖体积是39.2。",
    ),
    ("chinese", "选项A、B均错误！‖正确答案是C。"),
    ("japanese", "体温は39.2℃でした。‖CRPは12.5mg/dLです。‖診断は「肺炎」です。"),
    ("arabic", "الجواب هو (ب). ‖لماذا؟ ‖لأن القيمة 3.5 أكبر من 2."),
    ("hindi", "चरण 1: क्षेत्रफल निकालें। ‖क्षेत्रफल 12.5 है। ‖अतः उत्तर ख है।"),
    ("spanish", "El paciente tiene 38,5 °C. ‖¿Qué tiene? ‖La Dra. Ruiz sospecha gripe."),
    ("german", "Der Pat. hat Fieber. ‖Dr. Maier gibt 2,5 mg, d.h. eine halbe Tabl. pro Tag."),
]

LANGUAGES = {
    **{"chinese": "zh", "japanese": "ja", "arabic": "ar", "urdu": "ur", "hindi": "hi"},
    **{"russian": "ru", "german": "de", "french": "fr", "spanish": "es", "korean": "ko"},
}
"""What the kinds that are languages are called in ISO 639."""


def cases_of(group: str) -> Iterator[Case]:
    """Yield the cases of a file of the folder, lines such as "de law: Der 2. Senat. ¦ Er …"."""
    for line in (CUTS / f"{group}.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            head, _, text = line.partition(": ")
            language, kind = head.split()
            marked = text.replace(" ¦ ", f" {MARK}").replace("¦", MARK).replace("\\n", "\n")
            yield Case(kind, marked, group == "later", group, language)


GROUPS = {
    "decimals": DECIMALS,
    "abbreviations": ABBREVIATIONS,
    "lists": LISTS,
    "latex": LATEX,
    "code": CODE,
    "tables": TABLES,
    "headings": HEADINGS,
    "quotes": QUOTES,
    "prose": PROSE,
    "line ends": LINE_ENDS,
    "urls": URLS,
    "symbols": SYMBOLS,
}

CASES = [
    *(Case(kind, marked) for kind, group in GROUPS.items() for marked in group),
    *(Case(kind, marked, language=LANGUAGES.get(kind, "en")) for kind, marked in [*SCRIPTS, *MORE]),
    *(Case(kind, marked, True, language=LANGUAGES.get(kind, "en")) for kind, marked in HELD_OUT),
    *(case for group in ("reported", "unseen", "later") for case in cases_of(group)),
]

STILL_WRONG = frozenset(
    {
        "Compare A vs. B. ‖B is better.",
        "The affected nerves are IX and X. ‖XI is spared.",
        "Let me think... ‖So the user wants X. ‖Hmm, but is it?",
        "Pt. has hx. of HTN, DM, etc. ‖Meds are unchanged.",
        "It holds. ∎ ‖Next we show it. 🎉",
        "答案是 B。‖The answer is B. ‖结束……‖完了。",
        "**Q1.** What is x? ‖**A1.** It is 2.",
        "# Answer\n\n**B**\n\n‖The reason is simple. ‖It fits.",
    }
)
"""What segmentation is known to split otherwise; docs/segmentation.md says why."""
