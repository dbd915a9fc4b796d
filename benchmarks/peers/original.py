"""The procedure of the published scoring service: a pair at a time, the model loaded for each, nine forward passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.metrics import oracle


def original_procedure(folder: Path, wordnet: Any | None) -> Callable[[str, str], None]:
    """A function that scores one pair as the service does, by the libraries that it uses."""
    return lambda reference, answer: _score(folder, wordnet, reference, answer)


def _score(folder: Path, wordnet: Any | None, reference: str, answer: str) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = AutoModel.from_pretrained(folder, local_files_only=True).eval()

    def states(text: str) -> Any:
        with torch.no_grad():
            tokens = tokenizer(text, return_tensors="pt", truncation=True, max_length=512)
            return model(**tokens).last_hidden_state[0]

    combined = f"Reference: {reference} Candidate: {answer}"
    # Cosine, Pearson, BERTScore and B-RT each encode for themselves: 2 + 2 + 2 + 3 passes.
    torch.nn.functional.cosine_similarity(states(reference)[0], states(answer)[0], dim=0)
    torch.corrcoef(torch.stack([states(reference).mean(0), states(answer).mean(0)]))
    left, right = states(reference), states(answer)
    torch.nn.functional.normalize(left, dim=1) @ torch.nn.functional.normalize(right, dim=1).T
    (states(reference)[0], states(answer)[0], states(combined)[0])
    _text(wordnet, reference, answer)


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
