"""Common parts of the judged families: types of replies, reasons, citations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from passer.domain.judging.ask import Ask
from passer.domain.judging.item import Item
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.recipe import Finding, NoValue, Recipe
from passer.domain.references import nearest
from passer.domain.score import Citation, MetricInfo, MissingReason, Resource
from passer.domain.texts.keywords import compared_keywords
from passer.metrics.registry import describe

YesNo = Literal["yes", "no"]
NO_LANGUAGE = ""
"""Language without stop words: replies may be in another one than the answer."""

SENTENCES_OF_EARLIER = (
    "In assessments without `whole_sentences`, numbers of lists and abbreviations may end a sentence, too."
)

RAGAS = Citation(
    text="Es, S. et al. (2024). RAGAs: Automated evaluation of retrieval augmented generation. EACL (demonstrations).",
    url="https://aclanthology.org/2024.eacl-demo.16/",
)
RAGALYST = Citation(
    text="Gao, J. et al. (2025). RAGalyst: Automated human-aligned agentic evaluation for domain-specific RAG.",
    url="https://arxiv.org/abs/2511.04502",
)
SIMPLE_QA = Citation(
    text="Wei, J. et al. (2024). Measuring short-form factuality in large language models (SimpleQA).",
    url="https://arxiv.org/abs/2411.04368",
)
OWN_CRITERIA = Citation(
    text="Liu, Y. et al. (2023). G-Eval: NLG evaluation using GPT-4 with better human alignment. EMNLP (form filling).",
    url="https://aclanthology.org/2023.emnlp-main.153/",
)
ASPECTS = Citation(
    text="Rackauckas, Z., Câmara, A., Zavrel, J. (2024). Evaluating RAG-Fusion with RAGElo.",
    url="https://arxiv.org/abs/2406.14783",
)
NUGGETS = Citation(
    text="Pradeep, R. et al. (2025). The great nugget recall: Automating fact extraction and RAG evaluation.",
    url="https://arxiv.org/abs/2504.15068",
)
TRIPLETS = Citation(
    text="Hu, X. et al. (2024). RefChecker: Reference-based fine-grained hallucination checker.",
    url="https://arxiv.org/abs/2405.14486",
)
RAGCHECKER = Citation(
    text="Ru, D. et al. (2024). RAGChecker: A fine-grained framework for diagnosing retrieval-augmented generation.",
    url="https://arxiv.org/abs/2408.08067",
)


def judged(
    name: str,
    *,
    summary: str,
    formula: str,
    citation: Citation,
    notes: tuple[str, ...] = (),
    embeds: bool = False,
    higher_is_better: bool = True,
) -> MetricInfo:
    """Return the description of a judged column in [0, 1]."""
    needs: tuple[Resource, ...] = ("judge", "encoder") if embeds else ("judge",)
    return describe(
        name,
        "judged",
        summary=summary,
        formula=formula,
        citation=citation,
        higher_is_better=higher_is_better,
        needs=needs,
        notes=notes,
    )


def texts(item: Item) -> list[str]:
    """Return the texts of an item's passages in the order of the prompt."""
    return [passage.text for passage in item.passages]


def asked(ask: Ask) -> Recipe[Judgement]:
    """Ask the judge, and return its judgement; NoValue where it has no value."""
    said: Judgement = yield ask
    if said.reason is not None:
        raise NoValue(said.missing, said.said)
    return said


def replies(asks: Iterable[Ask], *, note: str = "") -> Recipe[list[Any]]:
    """Ask all of these together, and return the replies in order; NoValue with the note where one has no value."""
    said: tuple[Judgement, ...] = yield tuple(asks)
    for each in said:
        if each.reason is not None:
            raise NoValue(each.missing, note)
    return [value(each) for each in said]


def value(judgement: Judgement) -> Any:
    """Return the reply of a judgement that has one."""
    assert judgement.value is not None, "a recipe has ended before"
    return judgement.value


def found(numbers: float | None, *, reason: MissingReason, note: str = "") -> Finding:
    """Return a finding: the number, or the reason where there is none."""
    return Finding(value=None, reason=reason, note=note) if numbers is None else Finding(value=numbers, note=note)


def check_texts(item: Item, *, answer: bool = False, reference: bool = False, passages: bool = False) -> None:
    """Raise NoValue if one of the texts that a family needs is empty."""
    if answer and not item.answer.strip():
        raise NoValue("empty_answer")
    if reference and not item.reference.strip():
        raise NoValue("empty_reference")
    if passages and not item.passages:
        raise NoValue("no_passages")


def with_nearest_reference(item: Item) -> Item:
    """Return an item with one reference, for families that compare its parts: of several, the nearest to the answer."""
    if item.other_references is None:
        return item
    return item.model_copy(update={"reference": nearest(item.references, item.answer), "other_references": None})


def keywords(text: str) -> frozenset[str]:
    """Return the keywords of a text without a list of stop words."""
    return compared_keywords(text, NO_LANGUAGE)


def is_from(text: str, source: frozenset[str]) -> bool:
    """Return whether at least half of a text's keywords are among those of its source; invented texts are not."""
    words = keywords(text)
    return bool(words) and 2 * len(words & source) >= len(words)


def collapsed(text: str) -> str:
    """Return a text with every run of white space as one space."""
    return " ".join(text.split())
