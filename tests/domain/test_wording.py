"""Sentences that know what they were made of: their English, their codes and values, and what is read back of text."""

from __future__ import annotations

import pickle
import re
from datetime import UTC, datetime
from pathlib import Path
from string import Formatter

import pytest

from passer.domain.analysis.confounds import control_statement
from passer.domain.analysis.pool import Pool
from passer.domain.base import Frozen
from passer.domain.run import Run, RunConfig
from passer.domain.wording.sentence import Said, Sentence, Worded, Wording, read_back, sentence
from passer.domain.wording.templates import ROOMS, STORED, TEMPLATES

SOURCES = Path(__file__).parents[2] / "passer"


class Noted(Worded):
    """Holds sentences at several depths, as an analysis does."""

    first: Said
    pools: tuple[Pool, ...] = ()
    told: dict[str, tuple[Said, ...]]


class Inner(Frozen):
    """Without wordings of its own."""

    reason: Said


def test_a_sentence_is_its_english_with_code_and_values_beside_it():
    said = sentence("warning.unfinished", name="Score >= 0.50", n=1)
    assert said == "Score >= 0.50: 1 question not scored yet; its figures will move."
    assert sentence("warning.unfinished", name="k", n=1_200) == (
        "k: 1,200 questions not scored yet; its figures will move."
    )
    assert said.wording == Wording(code="warning.unfinished", values={"name": "Score >= 0.50", "n": 1})


def test_a_sentence_within_a_sentence_and_several_names_keep_what_they_are():
    said = sentence("warning.constant", metric="BERTScore", pool=sentence("pool.model", model="mistral"))
    assert said == "BERTScore is the same everywhere in all runs of mistral: it is neutral and tells nothing apart."
    assert said.wording is not None
    assert said.wording.values["pool"] == Wording(code="pool.model", values={"model": "mistral"})
    named = sentence("warning.no-one-baseline", names=("a", "b"))
    assert named.endswith("for them: a, b.")
    assert named.wording == Wording(code="warning.no-one-baseline", values={"names": ("a", "b")})


def test_control_says_how_many_fields_it_does_not_name():
    fields = [f"field_{number}" for number in range(10)]
    said = control_statement(fields, studied=("retrieval",))
    assert said == f"confounded by {', '.join(fields[:8])} and 2 more"
    assert said.wording == Wording(code="control.confounded-more", values={"fields": tuple(fields[:8]), "more": 2})


def test_a_value_tells_of_its_sentences_at_every_depth_and_its_json_is_read_again():
    pool = Pool(name=sentence("pool.run", run="k = 4"), run_ids=("r",), rows=3, metrics=())
    noted = Noted(first=sentence("control.same"), pools=(pool,), told={"x": ("as written",)})
    assert noted.wordings == {
        "controlled: nothing differs": Wording(code="control.same", values={}),
        "k = 4 alone": Wording(code="pool.run", values={"run": "k = 4"}),
    }
    again = Noted.model_validate_json(noted.model_dump_json())
    assert (again.first, again.pools[0].name, again.told) == (noted.first, "k = 4 alone", {"x": ("as written",)})


def test_a_field_takes_plain_text_and_stays_text_in_json():
    assert Inner.model_validate_json('{"reason": "so"}').model_dump_json() == '{"reason":"so"}'
    assert Inner(reason=sentence("control.same")).model_dump_json() == '{"reason":"controlled: nothing differs"}'
    assert Inner.model_json_schema()["properties"]["reason"]["type"] == "string"


def test_a_sentence_travels_between_processes():
    said = pickle.loads(pickle.dumps(sentence("control.same")))
    assert isinstance(said, Sentence)
    assert said.wording == Wording(code="control.same", values={})


def test_no_code_stands_in_two_rooms():
    assert sum(len(room) for room in ROOMS) == len(TEMPLATES)


def test_every_template_is_used_and_every_code_in_use_has_one():
    text = "\n".join(path.read_text() for path in sorted(SOURCES.rglob("*.py")) if path.parent.name != "wording")
    used = set(re.findall(r'"([a-z]+\.[a-z0-9-]+)"', text)) & set(TEMPLATES)
    begun = tuple(re.findall(r'sentence\(\s*f"([a-z]+\.[a-z-]*)\{', text))
    assert set(begun) == {"audit.", "decision.missing-", "decision.truncated-", "procedure.", "profile.", "unit.",
                          "warning.scope-"}  # fmt: skip
    assert [code for code in TEMPLATES if code not in used and not code.startswith(begun)] == []
    named = re.findall(r'sentence\(\s*"([^"]+)"', text)
    assert [code for code in named if code not in TEMPLATES] == []


_SHAPES: dict[str, int | float] = {"d": 12_345, ",": 12_345, "g": 2.5}


def values_for(template: str) -> dict[str, object]:
    """Something for each placeholder: a number where the format asks for one."""
    found: dict[str, object] = {}
    for _, name, form, _ in Formatter().parse(template):
        if name is not None and not (form and "|" in form):
            found.setdefault(name, _SHAPES.get(form or "", f"the-{name}"))
    return found


@pytest.mark.parametrize("code", STORED)
def test_what_is_kept_as_text_is_read_back(code):
    values = values_for(STORED[code])
    said = sentence(code, **values)
    assert read_back(str(said)) == Wording(code=code, values=values)


def test_a_run_that_was_stored_says_in_its_wording_why_it_stopped():
    config = RunConfig(dataset="d", collection="c")
    run = Run(id="s-0", sweep_id="s", position=0, name="k = 4", config=config, created_at=datetime.now(UTC),
              reason="Start the model server at http://gpu:11434: it does not accept connections.")  # fmt: skip
    assert list(run.wordings.values()) == [Wording(code="server.away", values={"server": "http://gpu:11434"})]
    assert Run.model_validate(run.model_dump()) == run
    assert run.model_copy(update={"reason": None}).wordings == {}


def test_numbers_and_sentences_within_are_read_back_and_other_text_is_not():
    assert read_back("m/t.xlsx lacks 2 of the 30 questions of the dataset regulation.") == Wording(
        code="audit.missing-questions",
        values={
            "sheet": "m/t.xlsx",
            "n": 2,
            "of": 30,
            "source": Wording(code="audit.of-dataset", values={"dataset": "regulation"}),
        },
    )
    assert read_back("m/t.xlsx lacks two of the 30 questions of the dataset regulation.") is None
    assert read_back("") is None


@pytest.mark.parametrize(
    "text",
    [
        "x lies outside the constants in , rows, not clipped.",
        "x lies outside the constants in ,,, rows, not clipped.",
        "9" * 200 + " questions in 2 sheets are not spelled as in x; they match by letters and digits.",
    ],
)
def test_what_only_looks_like_a_number_is_read_as_nothing_or_as_a_text(text: str):
    read_back(text)
    for template in STORED.values():
        for number in ("1.2.3", "1e999", "-", ",", "٣", "9" * 5000):
            filled = "".join(
                literal + (number if name is not None and "|" not in (form or "") else "")
                for literal, name, form, _ in Formatter().parse(template)
            )
            found = read_back(filled)
            assert found is None or found.model_dump_json()


def test_a_name_that_reads_like_a_sentence_stays_a_name():
    name = "No run has the id 'x'"
    problem = sentence("problem.no-run", run=str(sentence("problem.no-run", run=name)))
    found = read_back(str(problem))
    assert found is not None
    assert all(isinstance(value, (str, int, float)) for value in found.values.values())
