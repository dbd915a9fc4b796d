"""`passer draft`: from documents to a dataset by the commands that each step names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from passer.bootstrap import services
from tests.ollama_server import OllamaServer

QUESTIONS = {
    "Clover": "What does clover fix from the air?",
    "Copper": "To how many kilograms is copper limited?",
    "Bees": "How far do bees fly from the hive?",
}


def reply(prompt: str) -> str:
    return next((said for word, said in QUESTIONS.items() if word.lower() in prompt.lower()), "NONE")


@pytest.fixture
def writer(farm, monkeypatch: pytest.MonkeyPatch) -> Iterator[OllamaServer]:
    with OllamaServer(reply=reply) as server:
        monkeypatch.setenv("PASSER_OLLAMA_URL", server.url)
        yield server


def test_each_step_names_the_next_one(farm, writer: OllamaServer, tmp_path: Path) -> None:
    start = ("draft", "start", "farm", "--model", "ollama/mistral:latest", "--way", "paragraph", "--target", "2")
    drafted = farm(*start, "--instruction", "Ask about numbers only.", "--seed", "3")
    assert drafted.status == 0, drafted.err
    # The instruction takes the place of PaSSER's.
    asked = [message["content"] for each in writer.generations for message in each.body["messages"]]
    assert any("Ask about numbers only." in text for text in asked)
    assert not any("Write one question that the passage answers" in text for text in asked)
    drafting = farm("draft", "list", "--json").json["draftings"][0]["assessment"]["id"]
    assert f"passer draft review {drafting}" in drafted.err
    assert drafted.err.strip().endswith(f"Next: passer draft finish {drafting} --as NAME")

    review = ("draft", "review", drafting)
    shown = farm(*review)
    keys = re.findall(r"(?m)^(\d{6}-\d)", shown.out)
    assert len(keys) == 2
    assert "Decide with --accept DRAFT" in shown.err
    assert f"{keys[0]} is accepted." in farm(*review, "--accept", keys[0]).err
    edited = farm(*review, "--edit", keys[1], "--question", "How much copper may be used in a year?")
    assert f"{keys[1]} is edited." in edited.err
    assert "No draft is waiting for your review." in farm(*review).err
    assert keys[1] in farm(*review, "--state", "edited").out

    readme = tmp_path / "README.md"
    finished = farm("draft", "finish", drafting, "--as", "drafted", "--readme", readme)
    assert finished.err.strip().endswith("Next: passer sweep --dataset drafted --collection farm")
    assert "1 of 2 drawn at random are good" in readme.read_text()


@pytest.mark.usefixtures("writer")
def test_a_drafting_without_questions_says_where_its_refusals_are(farm) -> None:
    refused = farm("draft", "start", "farm", "--model", "ollama/mistral:latest", "--window", "9 passages")
    drafting = farm("draft", "list", "--json").json["draftings"][0]["assessment"]["id"]
    assert refused.err.strip().endswith(f"passer draft review {drafting} --state refused")
    assert "answerability 0" in farm("draft", "review", drafting, "--state", "refused").out


def test_documents_without_questions_lead_to_a_drafting(passer, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PASSER_HOME", str(tmp_path / "other"))
    document = tmp_path / "soil.txt"
    document.write_text("Clover fixes nitrogen from the air.")
    done = passer("ingest", "soil", document)
    assert done.status == 0, done.err
    assert "`passer draft start soil --model MODEL --plan`" in done.err


def test_what_a_document_contains_and_its_passages_do_not_is_said(passer, home):
    page = home / "frames.html"
    page.write_text("<html><frameset><frame src='a.html'><noframes>No frames.</noframes></frameset></html>")
    done = passer("ingest", "frames", page)
    assert done.status == 0
    assert "frames.html shows another page in a frame" in done.err


def test_a_document_that_would_be_read_differently_now_is_named(passer, home):
    page = home / "bees.html"
    page.write_text("<html><body><p>Bees need nectar and pollen.</p></body></html>")
    assert passer("ingest", "pages", page).status == 0
    with services() as built:
        [stored] = [documents[0] for each, documents in built.adapters.collections.list() if each.name == "pages"]
        other = stored.model_copy(update={"reader": "html-0", "text": "0" * 64})
        built.adapters.collections.note("pages", other)
    again = passer("ingest", "pages", page)
    assert again.status == 0
    assert "a different text from a document that the collection already contains: bees.html." in again.err
    assert [each["reads_differently"] for each in passer("ingest", "pages", page, "--json").json["documents"]] == [True]
