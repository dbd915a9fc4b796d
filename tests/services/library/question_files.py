"""Question files read by the real readers, for tests of accepted and refused files."""

from __future__ import annotations

from typing import Any

import pytest

from passer.adapters.recognition import recognised_language
from passer.adapters.tables import table_readers
from passer.domain.dataset import Dataset
from passer.errors import DatasetError
from passer.services.library.dataset_import import DatasetImport, DatasetPreview

LOADING = DatasetImport(table_readers(), recognised_language)


def load(content: bytes | str, filename: str = "q.csv", **more: Any) -> Dataset:
    raw = content.encode() if isinstance(content, str) else content
    return LOADING.load(raw, filename, **({"name": "questions"} | more))


def preview(content: str, filename: str = "q.csv", **more: Any) -> DatasetPreview:
    return LOADING.preview(content.encode(), filename, **more)


def refusal(content: bytes | str, filename: str = "q.csv", **more: Any) -> DatasetError:
    with pytest.raises(DatasetError) as caught:
        load(content, filename, **more)
    assert caught.value.message.count("\n") == 0
    return caught.value
