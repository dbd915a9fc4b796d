"""Blind spots of each metric, for people who compare its values."""

from __future__ import annotations

from passer.domain.score import Profile

_WORDS = (
    "Meaning: only shared words count, so a right answer in other words scores low, and a wrong number or a missing "
    "“not” in otherwise equal words costs little."
)
_VECTORS = (
    "Details: a wrong number, name or “not” hardly changes a vector. Unrelated texts of one field can score high, "
    "because of what they are about."
)
_MODEL = "Whether the answer is right: it measures how expected its words are after those of the reference."
_FROM_REFERENCE = "What the reference leaves out: a right fact that is not in the reference earns nothing."
_FROM_PASSAGES = "Whether the passages are right, and whether the answer answers the question."
_UNTRUE = "Whether a fact is true: a right fact that the reference leaves out counts as one that is not in it."
_OF_PASSAGES = "The answer: only the question, the reference and the passages are read."

PERPLEXITY = "Reference perplexity"
"""Measured by a model that decides nothing, so that ratings by people cannot check it."""

_SPOTS: tuple[tuple[str, str], ...] = (
    ("METEOR", _WORDS),
    ("BLEU", _WORDS + " It is made for whole documents and unsteady on single short answers."),
    ("Rouge-", _WORDS),
    ("F1 Score", _WORDS + " The metric ignores the order of the words as well."),
    ("Laplace Perplexity", _MODEL),
    ("Lidstone Perplexity", _MODEL),
    (PERPLEXITY, _OF_PASSAGES),
    ("Cosine similarity", _VECTORS),
    ("Pearson correlation", _VECTORS),
    ("Bert-Score.", _VECTORS),
    ("B-RT.", _VECTORS + " Whether it agrees with people was not validated."),
    ("Relevance", "Whether the answer is right."),
    ("Accuracy", "Whether the passages are right, and what the answer leaves out."),
    ("Completeness", "Whether the rest of the answer is right, and what is missing from the passages."),
    ("Precision", "What the answer leaves out."),
    ("Context precision", _OF_PASSAGES),
    ("Context recall", _OF_PASSAGES),
    ("Factual recall", "Further claims of the answer, right or wrong: it only looks for the facts of the reference."),
    ("Fact", _FROM_REFERENCE),
    ("Fact similarity", _FROM_PASSAGES),
    ("Faithfulness", _FROM_PASSAGES),
    ("Not contradicted", _FROM_PASSAGES + " Inventions that no passage mentions count as true."),
    ("Answer correctness", _FROM_REFERENCE),
    ("Answerability", "The answer, and the passages that were not kept."),
    ("Answer attempted", "Whether the answer is right, and whether the passages contain one."),
    ("Stand-alone question", "Answers and passages: it describes the question."),
    ("Claim recall", "The answer, and right passages that the reference does not mention."),
    ("Context utilisation", "Facts that the answer adds, and facts of the reference that no passage states."),
    ("Noise sensitivity", _UNTRUE),
    ("Hallucination", _UNTRUE),
    ("Self-knowledge", "Facts of the answer that are not in the reference, right or wrong."),
    ("Nugget vital share", "Answers and passages: it describes the question."),
    ("Nugget", _FROM_REFERENCE + " Errors beside the key facts are not seen."),
    ("Passage relevance", "The answer, and the relevant passages that were not retrieved."),
    ("Answer relevancy", "Whether the answer is right: a fluent wrong answer to the question scores high."),
    ("Response relevancy (context)", _OF_PASSAGES),
    ("Citations", "Whether the citations are right: it counts them."),
    (
        "Citation rate",
        "Meaning: it compares keywords, so a passage that says the opposite in the same words counts as support.",
    ),
    ("Citation recall", _FROM_PASSAGES),
    ("Citation precision", "Sentences that cite nothing, and whether the passages are right."),
    ("Criteria", "What no criterion asks for, and whether a reply says more than the criteria."),
    ("Failure: ", "Answers that the same judge graded as completely correct: the judge is not asked about them."),
    ("Cited share", "Whether the cited passage states the sentence."),
    ("Grounded share", "Meaning: it compares keywords, so a sentence that says the opposite in the same words counts."),
    ("Mean grounding", "Meaning: it compares keywords, so a sentence that says the opposite in the same words counts."),
)
"""The text of a name is that of the longest beginning."""
_JUDGE = " The metric is only as good as its judge: compare its values with ratings by people."


def blind_spot(name: str, profile: Profile) -> str:
    """Return what a metric cannot see, in one to three sentences; LookupError for a name without an entry."""
    found = [(len(beginning), text) for beginning, text in _SPOTS if name.startswith(beginning)]
    if not found:
        raise LookupError(f"{name!r} has no blind spot. Add what it cannot see to passer/metrics/blind_spots.py.")
    _, text = max(found)
    return text + _JUDGE if profile == "judged" and name != PERPLEXITY else text
