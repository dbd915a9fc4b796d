"""manifest.json and entry.json of a bundle, read strictly: the value, or the first thing that is wrong."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from passer.domain.bundle.members import DocumentSeals, EntryDocument, EntryReceipt, ReceiptSeals, Transaction
from passer.domain.canonical import Canonical, NotCanonical, path_at, read_canonical
from passer.domain.ledger.entry import Entry
from passer.domain.manifest import (
    Counts,
    DescribedCollection,
    DescribedDataset,
    DescribedMachine,
    DescribedRun,
    DescribedTemplate,
    Manifest,
)

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class Wrong:
    """One thing that is wrong, and where."""

    detail: str
    """One sentence."""
    field: str | None = None
    """Path in a JSON member."""
    number: int | None = None
    """Number of a question."""


@dataclass(frozen=True)
class ReadMember(Generic[T]):
    """manifest.json or entry.json."""

    content: bytes
    value: T | None = None
    canonical: Canonical | None = None
    wrong: Wrong | None = None

    @cached_property
    def digest(self) -> str:
        """SHA-256 of its bytes, in hex."""
        return hashlib.sha256(self.content).hexdigest()


MANIFEST_NAMES: dict[str, type[BaseModel]] = {
    "": Manifest,
    "run": DescribedRun,
    "prompt_template": DescribedTemplate,
    "dataset": DescribedDataset,
    "collection": DescribedCollection,
    "counts": Counts,
    "machine": DescribedMachine,
}
_RECEIPTS = ("run", "run_times", "questions[]", "question_times[]")
ENTRY_NAMES: dict[str, type[BaseModel]] = {
    "": EntryDocument,
    "manifest": Manifest,
    "seals": DocumentSeals,
    "transactions[]": Transaction,
    **dict.fromkeys(_RECEIPTS, EntryReceipt),
    **{f"{path}.entry": Entry for path in _RECEIPTS},
    **{f"{path}.seals": ReceiptSeals for path in _RECEIPTS},
}


def _names(forms: Mapping[str, type[BaseModel]]) -> dict[str, tuple[str, ...]]:
    return {path: tuple(sorted(form.model_fields)) for path, form in forms.items()}


_FORMS: dict[type[BaseModel], dict[str, tuple[str, ...]]] = {
    Manifest: _names(MANIFEST_NAMES),
    EntryDocument: _names(ENTRY_NAMES),
}
"""Sorted member names of the objects in a document, by path: a name that is broken is told by its place."""


def read_manifest(content: bytes) -> ReadMember[Manifest]:
    """manifest.json."""
    read = _read(content, Manifest)
    if read.value is None or read.canonical is None:
        return read
    missing = _first_missing(read.value.model_dump(mode="json"), read.canonical.value)
    if missing is None:
        return read
    return ReadMember(content, canonical=read.canonical, wrong=Wrong("A member is missing.", field=missing))


def read_entry(content: bytes) -> ReadMember[EntryDocument]:
    """entry.json; the long way only where something is wrong."""
    document = value_of_form(EntryDocument, content)
    if document is not None and document.canonical == content:
        return ReadMember(content, value=document)
    read = _read(content, EntryDocument)
    return ReadMember(content, wrong=read.wrong or Wrong("A member is missing, or a number is too large."))


def _read(content: bytes, model: type[T]) -> ReadMember[T]:
    try:
        canonical = read_canonical(content)
    except NotCanonical as exc:
        field = _outwhat_is_not_of_the_form(content, model) or path_at(content, exc.position, _FORMS[model]) or None
        return ReadMember(content, wrong=Wrong(str(exc), field=field))
    try:
        value = model.model_validate_json(content, strict=True)
    except ValidationError as exc:
        return ReadMember(content, canonical=canonical, wrong=what_is_not_of_the_form(exc, canonical.value))
    return ReadMember(content, value=value, canonical=canonical)


def _outwhat_is_not_of_the_form(content: bytes, model: type[BaseModel]) -> str | None:
    """Where a document that is not canonical does not have the form either: a changed name moves it in the order."""
    try:
        model.model_validate_json(content, strict=True)
        return None
    except ValidationError as exc:
        try:
            return what_is_not_of_the_form(exc, json.loads(content)).field
        except (ValueError, RecursionError):
            return None


def value_of_form(model: type[T], content: bytes) -> T | None:
    """A line or document; None where it has not the form. Whether it is canonical is seen by writing it again."""
    try:
        return model.model_validate_json(content, strict=True)
    except ValidationError:
        return None


def what_is_not_of_the_form(error: ValidationError, value: Any) -> Wrong:
    """The first complaint, by its path in the document: names of alternatives that pydantic puts in are left out."""
    first = error.errors(include_url=False, include_context=False)[0]
    path, at = "", value
    for place, part in enumerate(first["loc"]):
        is_last = place == len(first["loc"]) - 1
        if isinstance(at, dict) and isinstance(part, str) and (part in at or (is_last and first["type"] == "missing")):
            path, at = f"{path}.{part}", at.get(part)
        elif isinstance(at, list) and isinstance(part, int) and part < len(at):
            path, at = f"{path}[{part}]", at[part]
    message = str(first["msg"]).removeprefix("Value error, ")
    return Wrong(f"It is not of the form: {message}.", field=path.removeprefix(".") or None)


def _first_missing(whole: Any, given: Any, path: str = "") -> str | None:
    """Path of the first member that the form has and the document lacks; None where there is none."""
    if isinstance(whole, dict) and isinstance(given, dict):
        for name, value in whole.items():
            inner = f"{path}.{name}".removeprefix(".")
            found = inner if name not in given else _first_missing(value, given[name], inner)
            if found is not None:
                return found
    elif isinstance(whole, list) and isinstance(given, list):
        for place, (one, other) in enumerate(zip(whole, given, strict=False)):
            found = _first_missing(one, other, f"{path}[{place}]")
            if found is not None:
                return found
    return None
