"""A sweep that is killed and goes on, over a real server and the scripted model server: what the kill tests share."""

from __future__ import annotations

import json
import random
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.ollama_server import OllamaServer
from tests.served import Served
from tests.waiting import wait_until

MODEL = "mistral:latest"
TEXT_ONLY = {"PASSER_ENCODER": "none", "PASSER_EMBEDDING": "ollama/nomic-embed-text:latest"}
"""No encoder is loaded: a server is up in two seconds, and scores come from the texts alone."""
CROPS = ("clover", "copper", "bees", "hens", "compost", "rotation", "vines", "seed", "weeds", "sheep")


@dataclass(frozen=True)
class Study:
    """How large a sweep: questions x (thresholds + the baseline)."""

    questions: int = 46
    thresholds: tuple[float, ...] = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)
    environment: dict[str, str] = field(default_factory=lambda: dict(TEXT_ONLY))

    @property
    def runs(self) -> int:
        return len(self.thresholds) + 1

    @property
    def evaluations(self) -> int:
        return self.questions * self.runs

    def prepare(self, client: httpx.Client) -> str:
        """A collection, a dataset and a queued sweep; its id."""
        self.bring(client)
        return self.begin(client)

    def bring(self, client: httpx.Client) -> None:
        """A collection and a dataset."""
        documents = [
            ("files", (f"{crop}.txt", f"{crop.title()} on an organic farm. The rule for {crop} is {n}.".encode()))
            for n, crop in enumerate(CROPS)
        ]
        job = client.post("/api/v1/collections/farm/documents", files=documents)
        address = job.headers["location"]
        wait_until(
            lambda: client.get(address).json()["state"] in ("finished", "failed"), "the documents are not taken in"
        )
        rows = [
            {
                "id": f"q{n}",
                "question": f"What is the rule for {CROPS[n % 10]}, case {n}?",
                "reference": f"Number {n % 10}.",
            }
            for n in range(self.questions)
        ]
        files = {"file": ("farm.json", json.dumps(rows).encode())}
        assert client.post("/api/v1/datasets", files=files, data={"name": "farm"}).status_code == 201

    def begin(self, client: httpx.Client, *, name: str = "Killed", k: int = 10) -> str:
        """Create a sweep with a top-k baseline and return its id."""
        sweep = {
            "name": name,
            "config": {"dataset": "farm", "collection": "farm", "model": {"provider": "ollama", "name": MODEL}},
            "axes": {"min_similarity": self.thresholds},
            "baseline": {"mode": "normal", "k": k},
        }
        created = client.post("/api/v1/sweeps", json=sweep)
        assert created.status_code == 201, created.text
        return str(created.json()["id"])

    def serve(self, home: Path, model: OllamaServer, *, log: Path | None = None, **more: str) -> Served:
        return Served(home, log=log, PASSER_OLLAMA_URL=model.url, **self.environment, **more)

    def unbroken(self, home: Path) -> tuple[str, bytes]:
        """The same sweep in a home of its own, never killed: its id and its export."""
        with OllamaServer() as model, self.serve(home, model) as server:
            sweep_id = self.prepare(server.client)
            assert finish(server.client, sweep_id)
            return sweep_id, exported(server.client, sweep_id)

    def killed(self, home: Path, *, kills: int, seed: int, **more: str) -> Survivor:
        """Killed at random points until it has had enough, then left to finish."""
        chance = random.Random(seed)
        step = max(2, self.evaluations * 8 // 10 // kills)
        with OllamaServer(latency_s=0.02) as model:
            sweep_id, asked = "", dict[str, int]()
            for _ in range(kills):
                with self.serve(home, model, **more) as server:
                    sweep_id = sweep_id or self.prepare(server.client)
                    wait_for_more(server.client, sweep_id, chance.randrange(1, step), self.evaluations)
                    time.sleep(chance.uniform(0, 0.1))
                    for digest in committed(server.client, sweep_id):
                        asked.setdefault(digest, model.times_asked(digest))
                    server.kill()
            with self.serve(home, model, **more) as server:
                assert finish(server.client, sweep_id)
                sweep = server.client.get(f"/api/v1/sweeps/{sweep_id}").json()
                again = {digest: model.times_asked(digest) for digest in asked}
                states = [run["state"] for run in sweep["runs"]]
                return Survivor(sweep_id, exported(server.client, sweep_id), states, asked, again)


@dataclass(frozen=True)
class Survivor:
    """What a killed sweep came to."""

    sweep_id: str
    export: bytes
    states: list[str]
    asked_before: dict[str, int]
    """How often each prompt had come in when its answer was seen to be committed."""
    asked_after: dict[str, int]

    def check(self, study: Study, unbroken: tuple[str, bytes]) -> None:
        """It lost nothing, and nothing committed was asked again."""
        assert self.states == ["finished"] * study.runs
        assert self.asked_before, "something was committed before a kill"
        assert self.asked_after == self.asked_before, "nothing committed was asked again"
        rows = [json.loads(line) for line in self.export.splitlines()]
        assert len(rows) == study.evaluations
        assert {row["state"] for row in rows} == {"scored"}
        assert (self.sweep_id, self.export) == unbroken


def committed(client: httpx.Client, sweep_id: str) -> set[str]:
    """Digests of the prompts whose answers are committed."""
    found = set()
    for run in client.get(f"/api/v1/sweeps/{sweep_id}").json()["runs"]:
        page = client.get(f"/api/v1/runs/{run['id']}/evaluations", params={"limit": 500}).json()
        found |= {
            item["evaluation"]["prompt_digest"]
            for item in page["items"]
            if item["evaluation"]["answer_key"] and item["evaluation"]["prompt_digest"]
        }
    return found


def answered(client: httpx.Client, sweep_id: str) -> int:
    runs = client.get(f"/api/v1/sweeps/{sweep_id}").json()["runs"]
    return sum(run["counts"]["answered"] for run in runs)


def wait_for_more(client: httpx.Client, sweep_id: str, more: int, most: int) -> None:
    """Wait until so many more answers are committed, or all are."""
    enough = min(answered(client, sweep_id) + more, most)
    wait_until(lambda: answered(client, sweep_id) >= enough, "the sweep does not move")


def finish(client: httpx.Client, sweep_id: str, *, within_s: float = 180) -> bool:
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        if client.get(f"/api/v1/sweeps/{sweep_id}").json()["state"] == "finished":
            return True
        time.sleep(0.05)
    return False


def exported(client: httpx.Client, sweep_id: str) -> bytes:
    params = {"format": "jsonl", "reproducible": True}
    return client.get(f"/api/v1/sweeps/{sweep_id}/export", params=params).content


def descendants(pid: int) -> list[tuple[int, str]]:
    """Processes below one, with their titles."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            parents.setdefault(parent, []).append(int(entry.name))
    found, waiting = [], [pid]
    while waiting:
        for child in parents.get(waiting.pop(), []):
            waiting.append(child)
            try:
                title = Path(f"/proc/{child}/cmdline").read_bytes().decode(errors="replace").strip("\0 ")
            except OSError:
                continue
            found.append((child, title))
    return found
