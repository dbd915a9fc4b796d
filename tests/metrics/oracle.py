"""The independent libraries, called as their documentation describes."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

WORDNET = Path("/usr/share/wordnet")

_LEXNAMES = re.findall(
    r"\S+",
    """adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body
noun.cognition noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive noun.object
noun.person noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation noun.shape noun.state
noun.substance noun.time verb.body verb.change verb.cognition verb.communication verb.competition verb.consumption
verb.contact verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social verb.stative
verb.weather adj.ppl""",
)


def nltk_wordnet(folder: Path) -> Any:
    """NLTK's reader over Debian's files; `lexnames` is not among them, and NLTK wants it."""
    import nltk.data
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class Reader(WordNetCorpusReader):  # type: ignore[misc]
        synsets = cache(WordNetCorpusReader.synsets)

        def map_wn(self, *_: Any, **__: Any) -> None:
            """No mapping to other versions."""

    for file in WORDNET.iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    lines = [f"{number:02d}\t{name}\t1\n" for number, name in enumerate(_LEXNAMES)]
    (folder / "lexnames").write_text("".join(lines))
    nltk.data.path.append(str(folder))
    return Reader(str(folder), None)


@cache
def rouge_score() -> Callable[..., Any]:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=False)
    return lambda reference, answer: [
        value
        for result in scorer.score(reference, answer).values()
        for value in (result.recall, result.precision, result.fmeasure)
    ]


def perplexity(model: Any, *, train: list[list[str]], test: list[list[str]], orders: tuple[int, ...]) -> float:
    """nltk.lm's perplexity of all padded n-grams of these orders."""
    from nltk.lm.preprocessing import padded_everygram_pipeline
    from nltk.util import everygrams, pad_sequence

    n = model.order
    model.fit(*padded_everygram_pipeline(n, train))
    grams = [
        gram
        for sentence in test
        for gram in everygrams(
            list(
                pad_sequence(sentence, n, pad_left=True, left_pad_symbol="<s>", pad_right=True, right_pad_symbol="</s>")
            ),
            max_len=n,
        )
        if len(gram) in orders
    ]
    return float(model.perplexity(grams))
