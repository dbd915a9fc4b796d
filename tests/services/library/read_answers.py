"""What reads files of answers in tests, and datasets and files made in a line."""

from __future__ import annotations

import json
from typing import Any

from passer.adapters.tables import table_readers
from passer.domain.dataset import Dataset, Question
from passer.services.library.answer_files import AnswerFiles

FILES = AnswerFiles(table_readers())


def dataset(*texts: str) -> Dataset:
    questions = tuple(Question(id=str(number), text=text, reference="x") for number, text in enumerate(texts, 1))
    return Dataset(name="d", questions=questions)


def rows(*given: dict[str, Any]) -> bytes:
    return json.dumps(given).encode()
