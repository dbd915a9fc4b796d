"""Bad input gets one clear sentence and leaves no partial results."""

from __future__ import annotations

import io
import json
import socket
from urllib.parse import urlsplit

import pytest

from tests.api.conftest import QUESTIONS


def datasets(api) -> list[str]:
    return [item["name"] for item in api.client.get("/api/v1/datasets").json()["items"]]


def sweeps(api) -> int:
    return len(api.client.get("/api/v1/sweeps").json()["items"])


BAD_DATASETS = {
    "one bad row": (json.dumps([*QUESTIONS, {"id": "q4", "question": "", "reference": "x"}]), "a.json", "row 4"),
    "an unknown column": (json.dumps([{**QUESTIONS[0], "refrence": "x"}]), "a.json", "reference"),
    "a duplicate id": (json.dumps([QUESTIONS[0], QUESTIONS[0]]), "a.json", "q1"),
    "NaN": ('[{"question": "a", "reference": NaN}]', "a.json", "NaN"),
    "a wrong encoding": ("question,reference\nWas?,für\n".encode("latin-1"), "a.csv", "UTF-8"),
    "nothing": (b"", "a.json", "empty"),
    "no rows": ("[]", "a.json", ""),
    "not JSON": ('[{"question": ', "a.json", ""),
    "an unknown kind": ("x", "a.docx", ".json"),
    "half a surrogate pair in a name": ('[{"\\ud800": "a"}]', "a.json", "half a surrogate pair"),
    "half a surrogate pair in an object": ('inputs\n"{""a\\ud800"": 1}"\n', "a.csv", "inputs.a?"),
    "a long weight": ("question,reference,weight\na,b," + "1" * 5000, "a.csv", "The weight " + "1" * 40 + " is not"),
}


@pytest.mark.parametrize("name", BAD_DATASETS)
def test_a_bad_dataset_is_refused_whole(api, name):
    content, filename, expected = BAD_DATASETS[name]
    before = datasets(api)
    response = api.upload("bad", content if isinstance(content, bytes) else content.encode(), filename)
    assert response.status_code == 422, response.text
    problem = response.json()
    said = problem["detail"] + " ".join(f"row {e['row']} {e['field']} {e['message']}" for e in problem["errors"])
    assert expected.lower() in said.lower()
    assert problem["detail"].endswith(".")
    assert datasets(api) == before


def test_a_dataset_larger_than_the_limit_is_refused(api):
    response = api.upload("large", b" " * (1024 * 1024 + 200_000))
    assert response.status_code == 413
    assert "large" not in datasets(api)


def pdf(text: str | None) -> bytes:
    """A one-page PDF by hand; without text, a picture of nothing."""
    body = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET" if text else "q 10 0 0 10 0 0 cm Q"
    parts = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(body)} >>\nstream\n{body}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out = b"%PDF-1.4\n"
    places = []
    for number, part in enumerate(parts, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n{part}\nendobj\n".encode()
    table = len(out)
    out += f"xref\n0 {len(parts) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    return out + f"trailer << /Size {len(parts) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF".encode()


def encrypted() -> bytes:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf("Secret words about soil and clover"))))
    writer.encrypt("password", algorithm="AES-256")
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


BAD_DOCUMENTS = {
    "a damaged PDF": (lambda: b"%PDF-1.4\n" + b"\x00garbage" * 50, "a.pdf", "damaged"),
    "an encrypted PDF": (encrypted, "a.pdf", "password"),
    "a picture": (lambda: pdf(None), "a.pdf", "text"),
    "an empty file": (lambda: b"", "a.txt", "empty"),
    "an unknown kind": (lambda: b"MZ", "a.exe", ".pdf"),
    "a wrong encoding": (lambda: "für".encode("latin-1"), "a.txt", "UTF-8"),
}


@pytest.mark.parametrize("name", BAD_DOCUMENTS)
def test_a_document_that_cannot_be_read_says_why_and_leaves_nothing(api, name):
    make, filename, expected = BAD_DOCUMENTS[name]
    job = api.job(api.client.post("/api/v1/collections/bad/documents", files={"files": (filename, make())}))
    assert job["state"] == "finished"
    [document] = job["result"]["documents"]
    assert expected.lower() in document["problem"].lower()
    assert document["problem"].endswith(".")
    assert "bad" not in [item["collection"]["name"] for item in api.client.get("/api/v1/collections").json()["items"]]


def test_a_collection_with_other_chunking_is_refused(loaded):
    files = {"files": ("more.txt", b"More about soil and bees and hens.")}
    job = loaded.job(loaded.client.post("/api/v1/collections/farm/documents", files=files, data={"chunk_size": "500"}))
    assert job["state"] == "failed"
    assert job["problem"]["status"] == 409


SWEEP = {
    "name": "Bad",
    "config": {"dataset": "farm", "collection": "farm"},
    "axes": {"min_similarity": [0.3]},
    "baseline": {"mode": "normal", "k": 2},
}
BAD_SWEEPS = {
    "a threshold of 1.5": ({"axes": {"min_similarity": [0.3, 1.5]}}, 422, "axes.min_similarity.1"),
    "k = -1": ({"baseline": {"mode": "normal", "k": -1}}, 422, "baseline.k"),
    "a retriever inside another": (
        {"axes": {"retriever": [{"form": "fused", "of": [{"form": "dense"}, {"form": "lexical", "k1": -1}]}]}},
        422,
        "axes.retriever.0.of.1.k1",
    ),
    "an unknown field": ({"axes": {"treshold": [1]}}, 422, "axes.treshold"),
    "no such dataset": ({"config": {"dataset": "none", "collection": "farm"}}, 404, None),
    "no such collection": ({"config": {"dataset": "farm", "collection": "none"}}, 404, None),
    "a NUL in its title": ({"name": "a\0b"}, 422, "name"),
    "a NUL in a name within": ({"annotation": {"tags": ["bees", "\0"]}}, 422, "annotation.tags.1"),
    "no such prompt": ({"config": {"dataset": "farm", "collection": "farm", "prompt": "none"}}, 422, "prompt"),
    "a temperature of 5": (
        {"config": {"dataset": "farm", "collection": "farm", "options": {"temperature": 5}}},
        422,
        "config.options.temperature",
    ),
    "a missing model": (
        {"config": {"dataset": "farm", "collection": "farm", "model": {"provider": "ollama", "name": "nobody:7b"}}},
        422,
        None,
    ),
}


@pytest.mark.parametrize("name", BAD_SWEEPS)
def test_a_bad_sweep_is_refused_under_the_right_field(loaded, name):
    changes, status, field = BAD_SWEEPS[name]
    before = sweeps(loaded)
    response = loaded.client.post("/api/v1/sweeps", json={**SWEEP, **changes})
    assert response.status_code == status, response.text
    problem = response.json()
    assert problem["detail"].endswith(".")
    if field:
        assert field in [error["field"] for error in problem["errors"]]
    if name == "a missing model":
        assert "ollama pull nobody:7b" in problem["detail"]
    assert sweeps(loaded) == before


def test_an_interrupted_upload_leaves_nothing(served):
    before = served.get("/api/v1/datasets").json()
    where = urlsplit(str(served.base_url))
    head = (
        f"POST /api/v1/datasets HTTP/1.1\r\nHost: {where.netloc}\r\nContent-Length: 5000\r\n"
        "Content-Type: multipart/form-data; boundary=b\r\n\r\n"
        '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\ncut\r\n'
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n[{"question": "a"'
    )
    with socket.create_connection((str(where.hostname), int(where.port or 80)), timeout=10) as connection:
        connection.sendall(head.encode())
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(30)
        while connection.recv(4096):
            """Until the server has ended it."""
    assert served.get("/api/v1/datasets").json() == before
    assert served.get("/health").status_code == 200


@pytest.mark.parametrize(("name", "content"), [("a.json", b'[{"\\ud800": "a"}]'), ("a.jsonl", b'{"\\udfff": "a"}')])
def test_a_job_whose_file_has_names_that_no_database_holds_fails_once(loaded, name, content):
    """Its refusal named them, could not be stored, and the job began again every two seconds for ever."""
    answers = {"files": {"file": (name, content)}, "data": {"configuration": "theirs"}}
    job = loaded.job(loaded.client.post("/api/v1/datasets/farm/answers", **answers))
    assert (job["state"], job["problem"]["status"]) == ("failed", 422)


def test_deleting_needs_the_name(loaded):
    assert loaded.client.delete("/api/v1/datasets/farm", params={"confirm": "frm"}).status_code == 409
    assert loaded.client.delete("/api/v1/collections/farm", params={"confirm": ""}).status_code == 409
    assert "farm" in datasets(loaded)


@pytest.mark.parametrize(
    "path",
    ["/api/v1/runs/x-000/evaluations?after=100000000000000000000", "/api/v1/runs/x-000/evaluations/99999999999999"],
)
def test_numbers_beyond_all_bounds_are_refused(api, path):
    assert api.client.get(path).status_code == 422


def test_a_name_outside_ascii_is_as_good_as_any(api):
    name = "Въпроси 1"
    created = api.upload(name)
    assert created.status_code == 201, created.text
    found = api.client.get(created.headers["location"])
    assert found.json()["name"] == name
    assert api.client.delete(created.headers["location"], params={"confirm": name}).status_code == 204


def test_a_name_with_a_slash_is_refused(api):
    response = api.upload("a/b")
    assert response.status_code == 422
    assert "a/b" not in datasets(api)


def test_a_nul_is_refused_by_its_place_in_forms_and_addresses(api):
    refused = [
        api.client.post("/api/v1/labels/draws/d/labels", files={"file": b"item"}, data={"rater": "ana\0"}),
        api.client.post("/api/v1/datasets", files={"file": b"x"}, data={"name": "a", "mapping": '{"id": "\\u0000"}'}),
        api.client.get("/api/v1/sweeps/a%00b"),
        api.client.get("/api/v1/tournaments", params={"sweep": "\0"}),
    ]
    assert [each.status_code for each in refused] == [422] * 4
    fields = [each.json()["errors"][0]["field"] for each in refused]
    assert fields == ["rater", "mapping.id", "sweep_id", "sweep"]
    assert "contains the character NUL (U+0000)" in refused[0].json()["detail"]
    pasted = api.client.post(
        "/api/v1/collections/pasted/texts", json={"title": "a", "text": "In a file\0 it is left out."}
    )
    assert pasted.status_code == 202, pasted.text


def test_one_idempotency_key_is_for_one_sweep(loaded):
    headers = {"idempotency-key": "mine"}
    first = loaded.client.post("/api/v1/sweeps", json={**SWEEP, "name": "First"}, headers=headers)
    assert first.status_code == 201
    other = loaded.client.post("/api/v1/sweeps", json={**SWEEP, "name": "Other"}, headers=headers)
    assert other.status_code == 409
    loaded.finished(first.json()["id"])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"baseline": None, "noise": True}, "измерването на шума изпълнява базата втори път: задайте база"),
        ({"primary": "F1"}, "„F1“ не е метрика: изберете CPS или една от METEOR"),
        ({"axes": {"min_similarity": [0.3], "retriever": [{"form": "lexical"}]}}, "BM25 не подрежда по сходство"),
        ({"axes": {"min_similarity": [0.3], "treshold": [1]}}, "Няма такова поле"),
    ],
)
def test_a_sweep_is_refused_in_the_language_of_the_reader(loaded, changes, said):
    response = loaded.client.post("/api/v1/sweeps", json={**SWEEP, **changes}, headers={"Accept-Language": "bg"})
    assert response.status_code == 422
    assert said in response.json()["detail"]


def test_another_passage_size_is_refused_in_the_language_of_the_reader(loaded):
    files = {"files": ("more.txt", b"More about soil and bees and hens.")}
    address = "/api/v1/collections/farm/documents"
    job = loaded.job(loaded.client.post(address, files=files, data={"chunk_size": "500"}))
    shown = loaded.client.get(f"/api/v1/jobs/{job['id']}", headers={"Accept-Language": "bg"}).json()
    assert "е разделена на пасажи от" in shown["problem"]["detail"]
