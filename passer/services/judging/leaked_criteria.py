"""Sentences of a judge's instructions in the prompt templates of judged answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passer.domain.judging.kinship import template_warnings
from passer.domain.wording.sentence import Sentence
from passer.errors import ConfigError, NotFoundError
from passer.ports import PromptTemplates
from passer.services.judging.items import ItemSource


def leaked_criteria(items: ItemSource, run_ids: Sequence[str], instructions: Sequence[str]) -> tuple[Sentence, ...]:
    """Name the prompt templates of some runs that contain a sentence of a judge's instructions; none without runs."""
    return template_warnings(dict.fromkeys(_templates(items, run_ids)), instructions) if run_ids else ()


def _templates(items: ItemSource, run_ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield name and text of each template as it was when its sweep was created, or today if the sweep kept none."""
    wanted = set(run_ids)
    for sweep in items.sweeps_of(run_ids):
        frozen = {each.name: each.text for each in sweep.templates}
        for name in dict.fromkeys(run.config.prompt for run in sweep.runs if run.id in wanted):
            text = frozen[name] if name in frozen else _text_today(items.templates, name)
            if text is not None:
                yield name, text


def _text_today(templates: PromptTemplates | None, name: str) -> str | None:
    try:
        return None if templates is None else templates.load(name).text
    except (NotFoundError, ConfigError):
        return None
