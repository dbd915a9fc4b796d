"""The API answers in the reader's language: English, or Bulgarian by Accept-Language or a parameter."""

from __future__ import annotations

import re
from typing import Any

import pytest

from passer.api.language import language_of

SWEEP = {
    "name": "Words",
    "config": {"dataset": "farm", "collection": "farm", "model": {"provider": "extractive", "name": "extractive"}},
    "axes": {"minSimilarityScore": [0.3, 0.99], "temperature": [0, 0.5]},
}
BULGARIAN = {"accept-language": "bg"}


def texts_in(value: Any, names: tuple[str, ...]) -> list[str]:
    """The texts under these names, however deep."""
    if isinstance(value, list):
        return [text for item in value for text in texts_in(item, names)]
    if not isinstance(value, dict):
        return []
    own = [item for name in names for item in [value.get(name)] if item]
    found = [text for item in own for text in (item if isinstance(item, list) else [item])]
    return found + [text for item in value.values() for text in texts_in(item, names)]


# RFC 9110, 12.5.4: the language range with the highest weight that is available; a parameter wins over the header.
@pytest.mark.parametrize(
    ("query", "header", "language"),
    [
        ("", "", "en"),
        ("", "bg", "bg"),
        ("", "bg-BG,bg;q=0.9,en;q=0.8", "bg"),
        ("", "en;q=0.5, bg;q=0.7", "bg"),
        ("", "de, bg;q=0", "en"),
        ("", "de", "en"),
        ("language=bg", "en", "bg"),
        ("language=xx", "bg", "bg"),
        ("", "bg;q=loud, en", "en"),
    ],
)
def test_the_language_is_the_one_that_the_reader_prefers(query, header, language):
    assert language_of(query, header) == language


def test_configurations_are_named_in_the_readers_language_and_stored_in_english(loaded):
    called = "Similarity ≥ 0.50"
    assert loaded.upload(name=called).status_code == 201
    named = {
        "name": called,
        "config": {**SWEEP["config"], "dataset": called},
        "axes": {"minSimilarityScore": [0.5]},
        "baseline": {"mode": "none"},
    }
    created = loaded.client.post("/api/v1/sweeps", json=named, headers=BULGARIAN).json()
    assert [run["name"] for run in created["runs"]] == ["Без извличане", "Сходство ≥ 0,50"]
    address = f"/api/v1/sweeps/{loaded.finished(created['id'])['id']}"
    found, plain = (loaded.client.get(address, headers=headers).json() for headers in (BULGARIAN, {}))
    assert [run["name"] for run in plain["runs"]] == ["No retrieval", "Similarity ≥ 0.50"]
    assert [run["id"] for run in found["runs"]] == [run["id"] for run in plain["runs"]]
    # What a person called so, stays.
    assert (found["name"], found["sweep"]["config"]["dataset"]) == (called, called)
    assert called in texts_in(loaded.client.get("/api/v1/datasets", headers=BULGARIAN).json(), ("name",))

    analysis = loaded.client.get(f"{address}/analysis", headers=BULGARIAN).json()
    assert [each["name"] for each in analysis["configurations"]] == ["Без извличане", "Сходство ≥ 0,50"]
    tables = loaded.client.get(f"{address}/tables", headers=BULGARIAN).json()["items"]
    table = next(each for each in tables if each["name"] == "configurations")
    place = table["table"]["columns"].index("name")
    names = [row[place] for row in table["table"]["rows"]]
    assert names == ["No retrieval", "Similarity ≥ 0.50"]
    assert [table["columns"][place]["words"][name] for name in names] == ["Без извличане", "Сходство ≥ 0,50"]
    verdict = next(each for each in tables if each["name"] == "verdict")
    part, text = (verdict["table"]["columns"].index(column) for column in ("part", "text"))
    for place in (part, text):
        words = verdict["columns"][place]["words"]
        assert all(re.search("[а-я]{3}", words[row[place]]) for row in verdict["table"]["rows"])
    # A file for programs is the same in every language.
    files = [
        loaded.client.get(f"{address}/export", params={"table": "configurations"}, headers=headers).content
        for headers in (BULGARIAN, {})
    ]
    assert files[0] == files[1]
    assert "Similarity ≥ 0.50" in files[0].decode()


def test_plan_and_analysis_speak_the_readers_language(loaded):
    english = loaded.client.post("/api/v1/sweeps/plans", json=SWEEP)
    assert english.headers["content-language"] == "en"
    assert "accept-language" in english.headers["vary"].lower()
    plan = loaded.client.post("/api/v1/sweeps/plans", json=SWEEP, headers=BULGARIAN)
    assert plan.headers["content-language"] == "bg"
    assert len(plan.json()["warnings"]) == len(english.json()["warnings"]) == 2
    assert all(re.search("[а-я]{3}", text) for text in plan.json()["warnings"])

    sweep = {**SWEEP, "axes": {"minSimilarityScore": [0.3, 0.99]}, "baseline": {"mode": "normal", "k": 2}}
    created = loaded.client.post("/api/v1/sweeps", json=sweep).json()
    loaded.finished(created["id"])
    path = f"/api/v1/sweeps/{created['id']}"
    analysis = loaded.client.get(f"{path}/analysis", params={"language": "bg"}).json()
    sentences = [text for text in texts_in(analysis, ("statements", "warnings", "control", "reason")) if " " in text]
    assert len(sentences) >= 3
    assert [text for text in sentences if not re.search("[а-я]{3}", text)] == []
    figures = loaded.client.get(f"{path}/figures", headers=BULGARIAN).json()
    assert texts_in(figures, ("title",))
    assert [title for title in texts_in(figures, ("title",)) if not re.search("[а-я]{2}", title)] == []
    assert "controlled: only the retrieval setting differs" in loaded.client.get(f"{path}/analysis").text


def test_what_is_refused_is_said_in_the_readers_language(loaded):
    problem = loaded.client.get("/api/v1/runs/absent").json()
    lists = "`passer runs` lists the sweeps, `passer show SWEEP` lists their runs."
    assert problem["detail"] == f"There is no run “absent”. {lists}"
    assert problem["title"] == "Not found"
    problem = loaded.client.get("/api/v1/runs/absent", headers=BULGARIAN).json()
    assert (problem["title"], problem["status"]) == ("Не е намерено", 404)
    assert problem["detail"].startswith("Няма изпълнение „absent“.")


def test_the_language_of_one_request_is_not_that_of_the_next(loaded):
    loaded.client.get("/api/v1/runs/absent", headers=BULGARIAN)
    assert loaded.client.get("/api/v1/runs/absent").json()["title"] == "Not found"


EMPTY = {
    "en": "empty.txt is empty. Use a document with text.",
    "bg": "empty.txt е празен. Използвайте документ с текст.",
}


def test_the_refusal_of_a_document_is_in_the_readers_language_whether_others_were_added_or_not(api):
    address = "/api/v1/collections/refusals"
    files = [
        ("files", ("soil.txt", b"Clover fixes nitrogen.")),
        ("files", ("empty.txt", b"")),
        ("files", ("a.pdf", b"")),
    ]
    some = api.job(api.client.post(f"{address}/documents", files=files))
    alone = api.job(api.client.post(f"{address}/texts", json={"title": "empty.txt", "text": " "}))
    assert (some["state"], alone["state"]) == ("finished", "failed")
    for language, said in EMPTY.items():
        some, alone = (
            api.client.get(f"/api/v1/jobs/{job['id']}", headers={"accept-language": language}).json()
            for job in (some, alone)
        )
        problems = [document["problem"] for document in some["result"]["documents"]]
        assert problems[:2] == [None, said]
        assert bool(re.search("[а-я]{3}", problems[2])) == (language == "bg"), problems
        assert alone["problem"]["detail"] == alone["message"]
        assert bool(re.search("[а-я]{3}", alone["message"])) == (language == "bg"), alone
