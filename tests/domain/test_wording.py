"""Messages as codes with values: both catalogues, text in a language, and what is stored."""

from __future__ import annotations

import json
import pickle
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest
from babel.plural import PluralRule

from passer.domain.analysis.confounds import control_statement
from passer.domain.base import Frozen
from passer.domain.retrieval.cuts import ScorePolicy
from passer.domain.score import Profile
from passer.domain.sweeps.run import Run, RunConfig
from passer.domain.wording.catalogue import LANGUAGES, catalogue, descriptions
from passer.domain.wording.counted import counted
from passer.domain.wording.icu import Argument, Parts, Plural, formatted, parsed
from passer.domain.wording.sentence import (
    STORED,
    LocalizedJson,
    LocalizedText,
    Message,
    Sentence,
    number_sentence,
    reading,
    restored,
    sentence,
    stored,
    text_of,
)
from passer.metrics.registry import infos

SOURCES = Path(__file__).parents[2] / "passer"

ENGLISH, BULGARIAN = catalogue("en"), catalogue("bg")


class Noted(Frozen):
    """A model with a text, as an analysis has."""

    first: LocalizedText
    more: tuple[LocalizedText, ...] = ()


class Held(Frozen):
    """Holds the JSON of any model, as a job does."""

    result: LocalizedJson


def placeholders(message: str) -> frozenset[str]:
    """Return the names of all placeholders."""

    def names(parts: Parts) -> set[str]:
        found = {part.name for part in parts if isinstance(part, Argument | Plural)}
        inner = [form for part in parts if isinstance(part, Plural) for _, form in part.forms]
        return found.union(*map(names, inner))

    return frozenset(names(parsed(message)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_codes_and_placeholders_of_the_english_one(language):
    own = catalogue(language)
    assert own, f"passer/domain/wording/{language}.json is missing"
    assert set(own) <= set(ENGLISH)
    assert [code for code in own if placeholders(ENGLISH[code]) != placeholders(own[code])] == []


def test_bulgarian_has_every_code():
    assert set(ENGLISH) == set(BULGARIAN)
    assert len(ENGLISH) > 250


def test_every_description_of_a_metric_is_known_in_bulgarian_and_nothing_else_is():
    metrics = [info for profile in get_args(Profile) for info in infos(profile)]
    assert set(descriptions("bg")) == {
        text for info in metrics for text in (info.summary, info.formula, info.cannot_see)
    }
    [rouge] = [info for info in infos("standard") if info.name == "Rouge-l.f"]
    assert rouge.summary == "ROUGE-L F1."
    with reading("bg"):
        shown = json.loads(rouge.model_dump_json())
    assert shown["summary"] == "F1 по ROUGE-L."
    assert shown["formula"].startswith("2 p r / (p + r); обща част = дължината на най-дългата обща подредица от думи.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_valid_and_has_every_plural_form_of_its_language(language):
    for code, message in catalogue(language).items():
        assert parsed(message) or message == "", code
        for forms in re.findall(r", plural, (.*?)\}\}", message):
            assert "one {" in forms, code


PROPER_NAMES = {"retriever.variations"}
"""Messages that are a name in both languages."""


def test_bulgarian_messages_are_in_bulgarian():
    def bare(message: str) -> str:
        return re.sub(r"\{[^{}]*\}|`[^`]*`", "", message)

    others = {code: text for code, text in BULGARIAN.items() if code not in PROPER_NAMES}
    foreign = [code for code, text in others.items() if re.search("[A-Za-z]{4}", bare(text))]
    assert [code for code in foreign if not re.search("[а-я]", BULGARIAN[code])] == []


def test_every_code_is_used_and_every_code_in_use_is_known():
    text = "\n".join(path.read_text() for path in sorted(SOURCES.rglob("*.py")))
    used = set(re.findall(r'"([a-z]+\.[a-z0-9_-]+)"', text)) & set(ENGLISH)
    begun = tuple(set(re.findall(r'sentence\(\s*f"([a-z]+\.[a-z-]*)\{', text)))
    assert [code for code in ENGLISH if code not in used and not code.startswith(begun)] == []
    named = re.findall(r'sentence\(\s*"([^"]+)"', text)
    assert [code for code in named if code not in ENGLISH] == []


# Forms of CLDR 45 and numbers as ICU's MessageFormat writes them, except for grouping, which the house writes thin.
@pytest.mark.parametrize(
    ("message", "values", "text"),
    [
        ("{n, plural, one {# row} other {# rows}}", {"n": 1}, "1 row"),
        ("{n, plural, one {# row} other {# rows}}", {"n": 18744}, "18\u202f744 rows"),
        ("{n, plural, =0 {none} one {# row} other {# rows}} left", {"n": 0}, "none left"),
        (
            "{a} of {b, plural, one {# {kind} row} other {# {kind} rows}}",
            {"a": 1, "b": 2, "kind": "x"},
            "1 of 2 x rows",
        ),
        ("# stays outside of a plural, {x, number}", {"x": 1200}, "# stays outside of a plural, 1\u202f200"),
        ("{name}", {"name": "{other}"}, "{other}"),
    ],
)
def test_a_message_is_filled_in_as_icu_does(message, values, text):
    assert formatted(message, values, "en") == text


@pytest.mark.parametrize("message", ["{n, date}", "{n, number, furlong}", "{n, plural, one {#}}", "open }"])
def test_what_is_outside_the_subset_is_refused(message):
    with pytest.raises(ValueError, match=r"\."):
        parsed(message)


def test_plural_categories_are_those_of_cldr():
    rule = PluralRule({"one": "n is 1"})
    for value in (0, 1, 2, 5, 21, 101):
        forms = formatted("{n, plural, one {one} other {other}}", {"n": value}, "bg")
        assert forms == rule(value)


def test_a_sentence_is_english_text_with_its_code_and_values():
    name = ScorePolicy(min_similarity=0.5).label
    said = sentence("warning.unfinished", name=name, n=1)
    assert said == "Similarity ≥ 0.50: 1 question is not scored yet. These figures will change."
    level = Message(code="name.score", values={"at": "0.50"})
    assert said.message == Message(code="warning.unfinished", values={"name": level, "n": 1})
    assert text_of(said.message, "bg").startswith("Сходство ≥ 0,50: 1 въпрос още не е оценен.")
    # The name of something that a person called so is no name of a configuration.
    chosen = sentence("warning.unfinished", name="Similarity ≥ 0.50", n=1)
    assert chosen.message is not None
    assert text_of(chosen.message, "bg").startswith("Similarity ≥ 0.50: ")


def test_numbers_in_a_list_have_the_sign_of_the_language_and_stay_apart():
    said = sentence("effects.several", n=2, names=(number_sentence(0.65), number_sentence(0.9)))
    assert said == "2 (0.65, 0.9)"
    assert said.message is not None
    assert text_of(said.message, "bg") == "2 (0,65; 0,9)"


def test_messages_within_messages_and_lists_are_written_in_the_same_language():
    said = sentence("warning.constant", metric="BLEU", pool=sentence("pool.model", model="mistral"))
    assert said == "BLEU is constant in all runs of mistral. It does not affect CPS."
    assert said.message is not None
    assert "всички изпълнения на mistral" in text_of(said.message, "bg")
    named = sentence("warning.no-one-baseline", names=("a", "b"))
    assert named.endswith("baseline: a, b.")


def test_differing_fields_are_named_in_words():
    said = control_statement(["dataset", "options.seed", "scored_by.encoder_digest"], studied=())
    assert said == "confounded by the dataset, the seed, encoder digest"
    fields = [f"field_{place}" for place in range(10)]
    more = control_statement(fields, studied=("retrieval",))
    assert more.endswith("field 7 and 2 more")


def test_json_has_text_in_the_readers_language_and_storage_has_codes():
    noted = Noted(first=sentence("control.same"), more=(sentence("pool.run", run="k = 4"), "as written"))
    assert json.loads(noted.model_dump_json()) == {
        "first": "controlled: no differences",
        "more": ["k = 4 only", "as written"],
    }
    with reading("bg"):
        assert json.loads(noted.model_dump_json())["more"] == ["само k = 4", "as written"]
    kept = noted.model_dump(mode="json", context=STORED)
    assert kept["first"] == {"code": "control.same", "values": {}}
    again = Noted.model_validate(kept)
    assert again == noted
    with reading("bg"):
        assert json.loads(again.model_dump_json())["first"].startswith("контролирано")
    assert Noted.model_json_schema()["properties"]["first"]["type"] == "string"
    # Who does not know the model of what is stored.
    within, older = Held(result={"all": [kept], "n": 1}), Held(result={"all": [{"first": "as before"}], "code": "c"})
    assert json.loads(within.model_dump_json()) == {"result": {"all": [json.loads(noted.model_dump_json())], "n": 1}}
    with reading("bg"):
        assert json.loads(within.model_dump_json())["result"]["all"][0]["more"] == ["само k = 4", "as written"]
        assert json.loads(older.model_dump_json()) == {"result": older.result}
    assert within.result["all"] == [kept]


def test_a_stored_column_keeps_codes_and_older_text_stays_text():
    said = sentence("server.away", server="http://gpu:11434")
    column = stored(said)
    assert json.loads(column) == {"code": "server.away", "values": {"server": "http://gpu:11434"}}
    assert restored(column).message == said.message
    older = "Start the model server at http://gpu:11434: it does not accept connections."
    assert restored(stored(older)) == older
    assert restored(older).message is None
    assert restored('{"code": 500, "why": "of a model server"}').message is None


def test_a_run_says_why_it_stopped_in_the_readers_language():
    run = Run(id="s-0", sweep_id="s", position=0, name="k = 4", config=RunConfig(dataset="d", collection="c"),
              created_at=datetime.now(UTC), reason=sentence("stop.by-person"))  # fmt: skip
    with reading("bg"):
        assert json.loads(run.model_dump_json())["reason"].startswith("На пауза")
    assert json.loads(run.model_dump_json())["reason"] == "Paused. Resume it to continue."


def test_names_that_no_answer_can_hold_are_made_readable():
    """Names in files of strangers: a refusal that cannot be stored is never shown, and its job never ends."""
    said = sentence("problem.no-sweep", sweep="\ud800a\0")
    assert said == "There is no sweep “?a”. `passer runs` lists the sweeps."
    assert said.message is not None
    assert said.message.model_dump_json() == '{"code":"problem.no-sweep","values":{"sweep":"?a"}}'


def test_a_sentence_travels_between_processes():
    said = pickle.loads(pickle.dumps(sentence("control.same")))
    assert isinstance(said, Sentence)
    assert said.message == Message(code="control.same", values={})


@pytest.mark.parametrize(
    ("count", "noun", "said"),
    [(0, "row", "0 rows"), (1, "row", "1 row"), (2, "entry", "2 entries"), (1500, "question", "1\u202f500 questions")],
)
def test_counts_agree_with_their_noun(count, noun, said):
    assert counted(count, noun) == said
