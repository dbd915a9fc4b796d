"""Datasets in the database. A changed dataset of the same name is a new version."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError
from sqlalchemy import Connection, delete, func, select, update

from passer.adapters.store.database import Database
from passer.adapters.store.judging_tables import assessments
from passer.adapters.store.retrieval_inputs import save_input
from passer.adapters.store.schema import datasets, runs, sweeps
from passer.domain.dataset import Dataset
from passer.domain.retrieval.inputs import StoredInput
from passer.domain.sweeps.run import RunState
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, NotFoundError, StoreUnavailable
from passer.ports import Clock, DatasetSummary, DatasetVersion

FINAL_STATES = tuple(state.value for state in RunState if state.is_final)


class DatabaseDatasets:
    """ports.DatasetStore on SQL."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def save_dataset(self, dataset: Dataset, inputs: Sequence[StoredInput] = (), *, base: str | None = None) -> None:
        # Content that is there already becomes the newest version again.
        row = {
            "name": dataset.name,
            "digest": dataset.digest,
            "language": dataset.language,
            "question_count": len(dataset.questions),
            "gold_count": sum(1 for question in dataset.questions if question.gold_passages),
            "content": dataset.model_dump_json(),
            "listed": True,
            "created_at": self._clock.now(),
        }
        with self._database.begin() as connection:
            if base is not None:
                _check_newest(connection, dataset, base)
            connection.execute(
                # Added again below: the newest version is the one with the highest number.
                delete(datasets).where(datasets.c.name == dataset.name, datasets.c.digest == dataset.digest)
            )
            connection.execute(datasets.insert().values(row))
            for stored in inputs:
                save_input(connection, stored)

    def load_dataset(self, name: str, digest: str | None = None) -> Dataset:
        query = select(datasets.c.version, datasets.c.digest).where(datasets.c.name == name)
        query = query.where(datasets.c.digest == digest) if digest else query.where(datasets.c.listed)
        with self._database.connect() as connection:
            row = connection.execute(query.order_by(datasets.c.version.desc()).limit(1)).one_or_none()
            if row is None:
                raise _absent(connection, name, digest)
            # SQLite reuses the number of a deleted version.
            key = (row.version, row.digest)
            known = self._database.datasets.get(key)
            if known is not None:
                return known
            content = connection.execute(select(datasets.c.content).where(datasets.c.version == row.version)).scalar()
        try:
            dataset = Dataset.model_validate_json(content or "")
        except ValidationError as exc:
            raise StoreUnavailable(sentence("store.damaged-dataset", name=name)) from exc
        return self._database.datasets.put(key, dataset)

    def list_datasets(self) -> list[DatasetSummary]:
        newest = select(func.max(datasets.c.version), func.count()).where(datasets.c.listed).group_by(datasets.c.name)
        query = select(*(column for column in datasets.c if column.name != "content")).order_by(datasets.c.name)
        with self._database.connect() as connection:
            versions: dict[int, int] = {row[0]: row[1] for row in connection.execute(newest)}
            rows = connection.execute(query.where(datasets.c.version.in_(versions))).all()
        return [
            DatasetSummary(
                name=row.name,
                digest=row.digest,
                language=row.language,
                questions=row.question_count,
                with_gold=row.gold_count,
                versions=versions[row.version],
            )
            for row in rows
        ]

    def list_versions(self, name: str) -> list[DatasetVersion]:
        asked = (sweeps.c.dataset == name) & (sweeps.c.dataset_digest == datasets.c.digest)
        users = select(func.count()).select_from(sweeps).where(asked).scalar_subquery()
        counts = datasets.c.question_count.label("questions"), datasets.c.gold_count.label("with_gold")
        query = select(datasets.c.digest, *counts, datasets.c.created_at, users.label("sweeps"))
        query = query.where(datasets.c.name == name, datasets.c.listed).order_by(datasets.c.version.desc())
        rows = self._database.rows(query)
        if not rows:
            raise NotFoundError(sentence("problem.no-dataset", name=name))
        return [DatasetVersion(**row) for row in rows]

    def delete_dataset(self, name: str) -> None:
        """Remove all versions; those of finished sweeps and assessments stay readable by digest, but are not listed."""
        of_name = datasets.c.name == name
        used = select(sweeps.c.dataset_digest).where(sweeps.c.dataset == name)
        busy = (
            select(sweeps.c.id)
            .join(runs, runs.c.sweep_id == sweeps.c.id)
            .where(sweeps.c.dataset == name, runs.c.state.not_in(FINAL_STATES))
            .limit(1)
        )
        with self._database.begin() as connection:
            specs = connection.execute(select(assessments.c.spec).where(assessments.c.sweep_id.is_(None))).scalars()
            judged = [each["digest"] for spec in specs for each in spec.get("datasets", ())]
            sweep_id = connection.execute(busy).scalar()
            if sweep_id:
                raise ConflictError(sentence("dataset.needed", sweep=sweep_id, name=name))
            if connection.execute(update(datasets).where(of_name, datasets.c.listed).values(listed=False)).rowcount < 1:
                raise NotFoundError(sentence("dataset.absent", name=name))
            unused = datasets.c.digest.not_in(used), datasets.c.digest.not_in(judged)
            connection.execute(delete(datasets).where(of_name, *unused))


def _absent(connection: Connection, name: str, digest: str | None) -> NotFoundError:
    is_known = select(datasets.c.version).where(datasets.c.name == name, datasets.c.listed).limit(1)
    if digest and connection.execute(is_known).first():
        return NotFoundError(sentence("problem.no-version", name=name, digest=digest))
    return NotFoundError(sentence("problem.no-dataset", name=name))


def _check_newest(connection: Connection, dataset: Dataset, base: str) -> None:
    of_name = datasets.c.name == dataset.name
    # Of two that add to one version, the second waits here for the first and then sees what that has saved.
    connection.execute(select(datasets.c.version).where(of_name, datasets.c.digest == base).with_for_update())
    newest = select(datasets.c.digest).where(of_name, datasets.c.listed).order_by(datasets.c.version.desc()).limit(1)
    # Begun again after it was saved, the newest version is the one that it makes.
    if connection.execute(newest).scalar() not in (base, dataset.digest):
        raise ConflictError(sentence("dataset.newer", name=dataset.name))
