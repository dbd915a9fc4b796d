"""The procedure of the published scoring service, as its source reads: a pair at a time, nine forward passes.

For every pair it loads tokenizer and model twice (once more for BERTScore), encodes the two texts for each metric anew,
and compares BERTScore's tokens by broadcasting. Left out is what only slows it: HTTP, printing, the database.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.metrics import oracle


def original_procedure(folder: Path, wordnet: Any | None) -> Callable[[str, str], None]:
    """A function that scores one pair as the service does, by the libraries that it uses."""
    return lambda reference, answer: _score(folder, wordnet, reference, answer)


def _score(folder: Path, wordnet: Any | None, reference: str, answer: str) -> None:
    _text(wordnet, reference, answer)
    states = _loaded(folder)
    _similarities(states, reference, answer)
    _bert_score(_loaded(folder), reference, answer)
    _b_rt(states, reference, answer)


def _loaded(folder: Path) -> Callable[[str], Any]:
    """The encoder, loaded now."""
    import torch
    from transformers import BertModel, BertTokenizer

    tokenizer = BertTokenizer.from_pretrained(folder, local_files_only=True)
    model = BertModel.from_pretrained(folder, local_files_only=True)

    def states(text: str) -> Any:
        with torch.no_grad():
            tokens = tokenizer(text, return_tensors="pt", padding=True, truncation=True, max_length=512)
            return model(**tokens).last_hidden_state

    return states


def _similarities(states: Callable[[str], Any], reference: str, answer: str) -> None:
    from scipy.stats import pearsonr
    from torch.nn.functional import cosine_similarity

    cosine_similarity(states(reference)[:, 0], states(answer)[:, 0])
    pearsonr(states(reference).mean(1).numpy().flatten(), states(answer).mean(1).numpy().flatten())


def _bert_score(states: Callable[[str], Any], reference: str, answer: str) -> None:
    from torch.nn.functional import cosine_similarity

    similarities = cosine_similarity(states(reference).unsqueeze(2), states(answer).unsqueeze(1), dim=3)
    similarities.max(dim=2)[0].mean().item()
    similarities.max(dim=1)[0].mean().item()


def _b_rt(states: Callable[[str], Any], reference: str, answer: str) -> None:
    from torch.nn.functional import cosine_similarity

    states(f"Reference: {reference} Candidate: {answer}")[:, 0, :300].norm()
    cosine_similarity(states(reference)[:, 0], states(answer)[:, 0])


def _text(wordnet: Any | None, reference: str, answer: str) -> None:
    from nltk.lm import Laplace, Lidstone
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
    from rouge import Rouge

    if wordnet is not None:
        nltk_meteor(wordnet, reference.split(), answer.split())
    sentence_bleu([reference.split()], answer.split(), smoothing_function=SmoothingFunction().method4)
    Rouge().get_scores(reference, answer)
    train, test = nltk_words(reference), nltk_words(answer)
    oracle.perplexity(Laplace(2), train=train, test=test, orders=(1, 2))
    oracle.perplexity(Lidstone(0.1, 3), train=train, test=test[:1], orders=(1, 2, 3))


def nltk_words(text: str) -> list[list[str]]:
    """Sentences and words by NLTK."""
    from nltk.tokenize.destructive import NLTKWordTokenizer
    from nltk.tokenize.punkt import PunktSentenceTokenizer

    words = NLTKWordTokenizer()
    return [words.tokenize(sentence.lower()) for sentence in PunktSentenceTokenizer().tokenize(text)]


def nltk_meteor(wordnet: Any, reference: Sequence[str], answer: Sequence[str]) -> float:
    """NLTK's METEOR."""
    from nltk.translate.meteor_score import single_meteor_score

    return float(single_meteor_score(reference, answer, wordnet=wordnet))
