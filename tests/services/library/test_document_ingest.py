"""Ingesting with real readers, splitter and Chroma, and a fake encoder."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pypdf
import pytest

from passer.adapters.chroma.collections import ChromaCollections
from passer.adapters.documents import document_readers
from passer.adapters.splitter import RecursiveSplitter
from passer.domain.retrieval.passages import Chunking, Collection, EmbeddingModel
from passer.errors import CollectionMismatchError, DocumentError, IndexUnavailable, InputError, NotFoundError
from passer.ports import Vectors
from passer.services.library.document_ingest import DocumentIngest
from passer.services.library.ingest_report import IngestedDocument
from tests.adapters.chroma.made import document
from tests.adapters.test_documents_pdf import pdf_bytes, picture_pdf
from tests.fake_files import FakeFetcher
from tests.fakes import FakeEncoder

ENCODER = FakeEncoder()
OTHER = FakeEncoder()
OTHER.model = EmbeddingModel(name="fake/other", digest="1" * 64, dimension=64)
CHUNKING = Chunking(chunk_size=60, chunk_overlap=0)


PAGES = {"https://example.org/bees": ("bees.html", b"<html><body><p>Bees need nectar.</p></body></html>")}

Make = Callable[..., DocumentIngest]


@pytest.fixture
def collections(tmp_path: Path) -> Iterator[ChromaCollections]:
    encoders = {encoder.model.name: encoder for encoder in (ENCODER, OTHER)}
    store = ChromaCollections(path=tmp_path / "chroma", embedder_for=encoders.__getitem__)
    yield store
    store.close()


@pytest.fixture
def make(collections: ChromaCollections) -> Make:
    def document_ingest(encoder: FakeEncoder = ENCODER, max_bytes: int = 10**6) -> DocumentIngest:
        encoders = {each.model.name: each for each in (ENCODER, OTHER)} | {encoder.model.name: encoder}
        return DocumentIngest(
            readers=document_readers(),
            fetcher=FakeFetcher(PAGES),
            splitter=RecursiveSplitter(),
            collections=collections,
            embedder_for=encoders.__getitem__,
            default_embedding=lambda: ENCODER.model.name,
            max_bytes=max_bytes,
        )

    return document_ingest


SOIL = b"Legumes fix nitrogen in the soil. Compost feeds the life in the soil, and clover covers it."


def test_a_folder_is_ingested_and_bad_documents_do_not_stop_it(
    make: Make, collections: ChromaCollections, tmp_path: Path
) -> None:
    folder = tmp_path / "corpus"
    (folder / "crops").mkdir(parents=True)
    (folder / ".git").mkdir()
    files = {
        "a-empty.txt": b"",
        "b-damaged.pdf": b"%PDF-1.4 and no more",
        "crops/soil.md": SOIL,
        "picture.jpg": b"\xff\xd8",
        "z-latin.txt": "Köln".encode("latin-1"),
        ".git/config": b"[core]",
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    reported: list[tuple[str, int, int]] = []
    report = make().ingest_files(
        "farming", [folder], chunking=CHUNKING, progress=lambda what, done, total: reported.append((what, done, total))
    )
    readable = ", ".join(sorted(suffix for reader in document_readers() for suffix in reader.suffixes))
    assert [(d.name, d.passages_added, d.problem) for d in report.documents] == [
        ("a-empty.txt", 0, "a-empty.txt is empty. Use a document with text."),
        (
            "b-damaged.pdf",
            0,
            "b-damaged.pdf is damaged or not a PDF. Open it, save it again, and add that file.",
        ),
        ("crops/soil.md", 2, None),
        (
            "picture.jpg",
            0,
            f"picture.jpg is a picture. Run text recognition (OCR) on it, and add the result ({readable}).",
        ),
        ("z-latin.txt", 0, "z-latin.txt is not UTF-8 text (byte 1). Save it as UTF-8 and try again."),
    ]
    assert (report.passages_added, len(report.problems)) == (2, 4)
    ((collection, documents),) = collections.list()
    assert (collection.embedding, collection.chunking) == (ENCODER.model, CHUNKING)
    assert [document.name for document in documents] == ["crops/soil.md"]
    assert (reported[0], reported[-1]) == (("documents", 0, 5), ("documents", 5, 5))
    assert ("passages of crops/soil.md", 2, 2) in reported


def test_a_long_document_reports_often_so_that_its_import_can_be_cancelled(make: Make) -> None:
    told: list[int] = []
    text = "\n\n".join(f"Field {number} rests." for number in range(200))
    chunking = Chunking(chunk_size=20, chunk_overlap=0)
    make().ingest_text(
        "farming", title="t", text=text, chunking=chunking, progress=lambda _, done, __: told.append(done)
    )
    # The first and the last one count documents. A slow machine embeds ten passages in a second.
    assert max(told[1:-1]) >= 200
    assert max(later - done for done, later in pairwise(told[1:-1])) <= 50


def test_pages_without_text_are_counted_for_each_document(make: Make) -> None:
    mixed = pypdf.PdfWriter()
    for page in (pdf_bytes("Soil life"), picture_pdf(), pdf_bytes("Bees"), picture_pdf()):
        mixed.append(io.BytesIO(page))
    stream = io.BytesIO()
    mixed.write(stream)
    sources = [("mixed.pdf", stream.getvalue()), ("text.pdf", pdf_bytes("Soil", "Bees")), ("soil.md", SOIL)]
    report = make().ingest_sources("farming", [*sources, ("scan.pdf", picture_pdf())])
    assert [document.pages_without_text for document in report.documents] == [2, 0, 0, 0]
    assert [document.name for document in report.problems] == ["scan.pdf"]
    again = make().ingest_sources("farming", sources)
    assert [document.pages_without_text for document in again.documents] == [2, 0, 0]


def test_a_report_stored_by_an_older_version_is_read() -> None:
    old = {"name": "soil.md", "passages_added": 2, "passages_present": 0, "problem": None}
    assert IngestedDocument.model_validate(old).pages_without_text == 0


def test_nothing_but_bad_documents_makes_no_collection(make: Make, collections: ChromaCollections) -> None:
    report = make().ingest_sources("farming", [("a.txt", b""), ("b.pdf", b"no"), ("c.docx", b"no")])
    assert [bool(document.problem) for document in report.documents] == [True] * 3
    assert collections.list() == []


class CountingEncoder(FakeEncoder):
    count = 0

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        self.count += len(texts)
        return super().sentence_vectors(texts)


def test_the_same_content_twice_is_neither_embedded_nor_added_again(make: Make) -> None:
    encoder = CountingEncoder()
    sources = [("soil.md", SOIL), ("copy.md", SOIL)]
    report = make(encoder).ingest_sources("farming", sources, chunking=CHUNKING)
    assert [(d.passages_added, d.passages_present) for d in report.documents] == [(2, 0), (0, 2)]
    assert encoder.count == 2
    again = make(encoder).ingest_sources("farming", sources)
    assert [(d.passages_added, d.passages_present) for d in again.documents] == [(0, 2), (0, 2)]
    assert encoder.count == 2
    assert again.collection == report.collection


def test_a_changed_document_of_the_same_name_is_a_problem(make: Make) -> None:
    make().ingest_sources("farming", [("soil.md", SOIL)])
    (document,) = make().ingest_sources("farming", [("soil.md", SOIL + b" More.")]).documents
    assert document.problem is not None
    assert "contains another document named soil.md. Rename" in document.problem


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"embedding": "fake/other"}, "was embedded with fake/bag-of-words"),
        ({"chunking": Chunking()}, "was split into passages of 60 characters with overlap 0, not passages of 1024"),
    ],
)
def test_a_later_ingest_must_fit_the_collection(
    make: Make, collections: ChromaCollections, given: dict[str, object], message: str
) -> None:
    make().ingest_sources("farming", [("soil.md", SOIL)], chunking=CHUNKING)
    with pytest.raises(CollectionMismatchError, match=message):
        make().ingest_sources("farming", [("bees.md", b"Bees.")], **given)
    assert len(list(collections.open("farming").passages())) == 2


def test_without_a_choice_a_collection_keeps_its_own(make: Make) -> None:
    first = make().ingest_sources("farming", [("soil.md", SOIL)], chunking=CHUNKING, embedding="fake/other")
    second = make().ingest_text("farming", title="bees", text="Bees need nectar.")
    assert second.collection == first.collection
    assert (second.collection.embedding, second.collection.chunking) == (OTHER.model, CHUNKING)


def test_a_collection_keeps_the_rules_by_which_its_texts_are_cut(make: Make, collections: ChromaCollections) -> None:
    assert make().ingest_text("new", title="t", text="Text.").collection.text_rules == 2
    old = Collection(name="old", embedding=ENCODER.model, chunking=CHUNKING)
    made = document("soil.txt", SOIL.decode())
    passages = RecursiveSplitter().split(made, CHUNKING)
    collections.add(old, made, passages, ENCODER.sentence_vectors([each.text for each in passages]))
    assert make().ingest_text("old", title="t", text="Text.").collection.text_rules == 1
    assert make().reindex("old", embedding="fake/other").collection.text_rules == 1


def test_pasted_text_and_addresses_become_documents(make: Make, collections: ChromaCollections) -> None:
    make().ingest_text("farming", title="pasted note", text="Clover covers the soil.\ud800")
    make().ingest_address("farming", url="https://example.org/bees")
    passages = list(collections.open("farming").passages())
    assert [(p.document, p.text) for p in passages] == [
        ("https://example.org/bees", "Bees need nectar."),
        ("pasted note", "Clover covers the soil.?"),
    ]


def test_one_bad_text_or_address_is_an_error(make: Make, collections: ChromaCollections) -> None:
    with pytest.raises(InputError, match="blank contains no text"):
        make().ingest_text("farming", title="blank", text=" \n")
    with pytest.raises(DocumentError, match="returned 404"):
        make().ingest_address("farming", url="https://example.org/none")
    with pytest.raises(InputError, match="There is nothing to add"):
        make().ingest_files("farming", [])
    assert collections.list() == []


@pytest.mark.parametrize("name", ["ab", "a b c", "-abc", "x" * 64, "a..b"])
def test_a_bad_collection_name_is_refused_before_anything_is_read(make: Make, name: str) -> None:
    with pytest.raises(InputError, match=r"cannot be the name of a collection\. Use 3 to 63"):
        make().ingest_text(name, title="t", text="Text.")


def test_what_is_too_large_or_cannot_be_opened_is_a_problem(make: Make, tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    large.write_bytes(b"x" * 2000)
    report = make(max_bytes=1000).ingest_files("farming", [large, tmp_path / "missing.txt"])
    assert [document.problem for document in report.documents] == [
        "large.txt is larger than 0.000953674 MB. Raise the limit in the settings, or split it.",
        "missing.txt cannot be read (No such file or directory). Check its path and permissions.",
    ]
    (uploaded,) = make(max_bytes=1000).ingest_sources("farming", [("u.txt", b"x" * 1001)]).documents
    assert uploaded.problem is not None
    assert "is larger than" in uploaded.problem
    (named,) = make().ingest_sources("farming", [("n" * 501 + ".txt", b"x")]).documents
    assert named.problem is not None
    assert "is too long. Use at most 500 characters" in named.problem


def test_what_is_wrong_elsewhere_stops_the_ingest(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*args: object) -> int:
        raise IndexUnavailable("The vector store does not answer: start it.")

    monkeypatch.setattr(ChromaCollections, "add", gone)
    with pytest.raises(IndexUnavailable):
        make().ingest_sources("farming", [("soil.md", SOIL)])


def test_the_regulation_is_ingested_completely(make: Make, collections: ChromaCollections, test_data: Path) -> None:
    file = test_data / "corpus" / "eur178468consolidation.pdf"
    report = make(max_bytes=50 * 2**20).ingest_files("regulation", [file])
    (document,) = report.documents
    assert document.problem is None
    ((_, (summary,)),) = collections.list()
    assert summary.passages == document.passages_added == len(list(collections.open("regulation").passages()))
    last = summary.pages
    assert last is not None
    text = "List of subcontractors carrying out an activity or activities for the operator or group of operators"
    (ranking,) = collections.open("regulation").search([text], 3)
    assert ranking.passages[0].page == last


def test_an_unknown_collection_is_not_found(make: Make, collections: ChromaCollections) -> None:
    make().ingest_text("farming", title="t", text="Text.")
    with pytest.raises(NotFoundError):
        collections.open("fishing")


def test_a_collection_is_embedded_again_by_another_model(make: Make, collections: ChromaCollections) -> None:
    make().ingest_text("farming", title="soil.txt", text=SOIL.decode(), chunking=CHUNKING)
    before = list(collections.open("farming").passages())
    unchanged = make().reindex("farming")
    assert [(each.passages_added, each.passages_present) for each in unchanged.documents] == [(0, len(before))]
    told: list[tuple[str, int, int]] = []
    report = make().reindex(
        "farming", embedding="fake/other", progress=lambda what, done, total: told.append((what, done, total))
    )
    assert (report.collection.embedding, report.collection.chunking) == (OTHER.model, CHUNKING)
    assert (report.passages_added, told[-1]) == (len(before), ("passages", len(before), len(before)))
    assert list(collections.open("farming").passages()) == before
    with pytest.raises(NotFoundError):
        make().reindex("nowhere")


def test_passages_cut_by_the_tokens_of_a_model_are_not_given_to_another(
    make: Make, collections: ChromaCollections
) -> None:
    passages = RecursiveSplitter().split(made := document("soil.txt", SOIL.decode()), CHUNKING)
    by_tokens = Collection(name="farming", embedding=ENCODER.model, chunking=Chunking(chunk_size=60, unit="tokens"))
    collections.add(by_tokens, made, passages, ENCODER.sentence_vectors([each.text for each in passages]))
    with pytest.raises(CollectionMismatchError, match="were split by tokens of fake/bag-of-words"):
        make().reindex("farming", embedding="fake/other")
