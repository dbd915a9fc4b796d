"""Studies with their prompts: each line is what the records say was sent, and both verifiers find every other."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from passer.domain.base import canonical_json
from passer.errors import ConflictError, InputError
from tests.browser_verifier import by_the_browser, needs_node
from tests.bundles import members_of, rebuilt
from tests.services.study import TEXTS
from tests.sheet_studies import published_sheets
from tests.studies import PUBLICATION, PublishedSweep, failed_steps, resealed, told, value_of, verify_study

NAME = "prompts.jsonl"
WITH_PROMPTS = PUBLICATION.model_copy(update={"prompts": True})


@pytest.fixture(scope="module")
def whole(published: PublishedSweep) -> bytes:
    return published.publish(publication=WITH_PROMPTS)


def in_lines(change: Callable[[list[bytes]], object]) -> Callable[[bytes], bytes]:
    """The lines changed, and the digest of the file in study.json."""

    def changed(study: bytes) -> bytes:
        members = members_of(study)
        lines = members[NAME].splitlines(keepends=True)
        change(lines)
        return resealed(members | {NAME: b"".join(lines)})

    return changed


def of_another_word(line: bytes) -> bytes:
    """The line with another first word of a passage."""
    passage = next(text for text in TEXTS if text in json.loads(line)[-1]["content"]).encode()
    return line.replace(passage, b"Nothing " + passage.partition(b" ")[2], 1)


def digest_kept(study: bytes) -> bytes:
    members = members_of(study)
    first, *others = members[NAME].splitlines(keepends=True)
    return rebuilt(members | {NAME: b"".join((of_another_word(first), *others))})


def unstated(study: bytes) -> bytes:
    return resealed(members_of(study), lambda value: value["files"].pop(NAME))


def taken_out(study: bytes) -> bytes:
    members = members_of(study)
    del members[NAME]
    stated = value_of(members, "study.json")
    del stated["files"][NAME]
    return resealed(members | {"study.json": canonical_json(stated)})


FORGERIES: dict[str, tuple[str | None, Callable[[bytes], bytes]]] = {
    "a passage in a prompt changed": (
        "design",
        in_lines(lambda lines: lines.__setitem__(0, of_another_word(lines[0]))),
    ),
    "an instruction added to a prompt": (
        "design",
        in_lines(lambda lines: lines.__setitem__(1, lines[1].replace(b'"content":"', b'"content":"Be kind. ', 1))),
    ),
    "a prompt left out": ("design", in_lines(lambda lines: lines.pop())),
    "a prompt that nobody sent": ("design", in_lines(lambda lines: lines.append(b"[]\n"))),
    "two prompts in another order": ("design", in_lines(lambda lines: lines.insert(0, lines.pop(1)))),
    "a prompt twice": ("design", in_lines(lambda lines: lines.append(lines[0]))),
    "a prompt without its end of line": ("design", in_lines(lambda lines: lines.append(lines.pop()[:-1]))),
    "a prompt changed, its file's digest kept": ("files", digest_kept),
    "prompts that study.json does not state": ("runs", unstated),
    "all prompts taken out": (None, taken_out),
}


def test_every_prompt_is_there_once_with_the_texts_of_its_passages(whole: bytes, study: bytes) -> None:
    members = members_of(whole)
    lines = members[NAME].splitlines()
    records = [
        json.loads(line)
        for name in members
        if name.startswith("runs/")
        for line in members_of(members[name])["questions.jsonl"].splitlines()
    ]
    assert [hashlib.sha256(line).hexdigest() for line in lines] == list(
        dict.fromkeys(record["prompt_digest"] for record in records if record["prompt_digest"])
    )
    said = {hashlib.sha256(line).hexdigest(): json.dumps(json.loads(line)) for line in lines}
    kept = [record for record in records if record["passages"]]
    assert kept
    for record in kept:
        prompt = said[record["prompt_digest"]]
        assert record["question"] in prompt
        assert sum(text in prompt for text in TEXTS) == len(record["passages"])
    # The rest is that of a study without them, whose bytes did not change.
    before = members_of(study)
    assert {name for name in members if members[name] != before.get(name)} == {
        "study.json", "ro-crate-metadata.json", "entry.json", NAME
    }  # fmt: skip


@needs_node
def test_each_change_of_the_prompts_is_found_by_both_verifiers(whole: bytes, tmp_path: Path) -> None:
    files = [whole, *(forge(whole) for _, forge in FORGERIES.values())]
    assert len(set(files)) == len(files)
    by_page = by_the_browser(files, tmp_path)
    steps = [None, *(step for step, _ in FORGERIES.values())]
    for name, step, file, seen in zip(["honest", *FORGERIES], steps, files, by_page, strict=True):
        assert failed_steps(file)[:1] == ([] if step is None else [step]), name
        assert seen == told(verify_study(file)), name


def test_prompts_that_cannot_be_published(published: PublishedSweep, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="cannot be published without texts"):
        published.publish(publication=WITH_PROMPTS.model_copy(update={"texts": False}))
    with pytest.raises(InputError, match="Imported sheets have no prompts"):
        published_sheets(publication=WITH_PROMPTS)
    monkeypatch.setattr(published.composer.sweep_results.evaluations, "prompt", lambda _: None)
    with pytest.raises(ConflictError, match="is not stored"):
        published.publish(publication=WITH_PROMPTS)
