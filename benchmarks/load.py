"""A team at work: how soon pages answer 50 people, and how much they slow down a sweep that runs meanwhile.

    python -m benchmarks.load [--quick] [--apart]

A real server on a home with a finished sweep and a scripted model server of 200 ms and 16 slots. Each person opens a
page of the application, waits for all that it asks the server for, and reads for 5 seconds on average; every tenth
follows the events of the running sweep. A sweep without them and one with them run by turns, so that both see the same
machine; each asks its own questions. Every page is opened once before: the first opening of a finished sweep computes
what is kept afterwards, and is a figure of its own. The server, the model server, the people and the measurement share
the machine: `cores_busy` says how much of it all of them use while people are there, and `server_cores` how many cores
the server alone takes. Where the machine is busy, the figures are its limit and not the server's. Memory is the
server's after each sweep with people; its growth is from the median of the first third of them to that of the last,
because single readings go up and down by what a sweep has just freed.

With `--apart` a second server on the same home runs the sweeps, as docs/scaling.md says for many people.

20 minutes with people, or 1 with `--quick`. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles

import httpx

from benchmarks import frontend
from benchmarks.report import Figure, report
from benchmarks.running import scripted
from passer.adapters.surroundings import resident_memory
from passer.bootstrap import build_services
from passer.settings import NO_ENCODER, Settings

PEOPLE = 50
READING_S = 5.0
"""Mean of the time between two pages of one person; exponential."""
FOLLOWS_EVERY = 10
RUNS = 6
FIRST_SEED = 1000


@dataclass(frozen=True)
class Size:
    """How much is stored, and how long people are there."""

    stored_questions: int
    asked_questions: int
    with_people_s: float


FULL, QUICK = Size(2000, 4000, 1200), Size(500, 1000, 35)


@dataclass
class Team:
    """Fifty people, and what they have seen."""

    url: str
    stored: Size
    running: str = ""
    """Id of the sweep that runs."""
    took_ms: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    failures: list[str] = field(default_factory=list)

    def pages(self, choose: random.Random) -> dict[str, list[str]]:
        """What each kind of page asks the server for."""
        sweep, run = frontend.WIDE, f"{frontend.WIDE}-{choose.randrange(1, RUNS):03d}"  # run 0 is the baseline
        number = choose.randrange(self.stored.stored_questions)
        base = f"/api/v1/sweeps/{sweep}"
        return {
            "lists": ["/api/v1/sweeps?limit=50", "/api/v1/runs?limit=50", "/api/v1/jobs"],
            "running sweep": [f"/api/v1/sweeps/{self.running}", f"/api/v1/sweeps/{self.running}/now"],
            "finished sweep": [
                base, f"{base}/analysis", f"{base}/figures", f"{base}/questions", f"{base}/pairs?of={run}",
            ],
            "analysis": [f"{base}/tables", f"{base}/figures"],
            "question": [f"{base}/questions/{number}"],
            "run": [f"/api/v1/runs/{run}", f"/api/v1/runs/{run}/metrics",
                    f"/api/v1/runs/{run}/evaluations?after={number - 1}&limit=50"],
            "answer": [f"/api/v1/runs/{run}/evaluations/{number}"],
            "data": ["/api/v1/datasets", "/api/v1/collections"],
        }  # fmt: skip

    async def _person(self, number: int) -> None:
        choose = random.Random(number)
        async with visitor(self.url, timeout=60) as client:
            while True:
                await asyncio.sleep(choose.expovariate(1 / READING_S))
                pages = self.pages(choose)
                kind = choose.choice(list(pages))
                await asyncio.gather(*(self._get(client, kind, address) for address in pages[kind]))

    async def _get(self, client: httpx.AsyncClient, kind: str, address: str) -> None:
        began = time.perf_counter()
        try:
            answer = await client.get(address)
        except httpx.HTTPError as exc:
            self.failures.append(f"{address}: {exc!r}")
            return
        self.took_ms[kind].append(1000 * (time.perf_counter() - began))
        if answer.status_code != 200:
            self.failures.append(f"{address}: {answer.status_code} {answer.text[:200]}")

    async def first_opening_s(self, client: httpx.AsyncClient) -> float:
        """Open each page of each run once, and return the seconds of the slowest: what is kept is computed there."""
        slowest = 0.0
        for number in range(RUNS * 2):
            for addresses in self.pages(random.Random(number)).values():
                for address in addresses:
                    began = time.perf_counter()
                    (await client.get(address)).raise_for_status()
                    slowest = max(slowest, time.perf_counter() - began)
        return slowest

    async def _follower(self) -> None:
        async with visitor(self.url, timeout=None) as client:
            while True:
                with contextlib.suppress(httpx.HTTPError):
                    async with client.stream("GET", f"/api/v1/sweeps/{self.running}/events") as events:
                        async for _ in events.aiter_raw():
                            pass
                await asyncio.sleep(1)

    @contextlib.asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        people = [asyncio.create_task(self._person(number)) for number in range(PEOPLE)]
        people += [asyncio.create_task(self._follower()) for _ in range(PEOPLE // FOLLOWS_EVERY)]
        try:
            yield
        finally:
            for person in people:
                person.cancel()
            await asyncio.gather(*people, return_exceptions=True)


def visitor(url: str, *, timeout: float | None) -> httpx.AsyncClient:
    """Return a person's own connections."""
    # Reading the authorities of TLS takes 20 ms: fifty clients that each read them kept the measurement from the server
    # for more than a second of each sweep.
    return httpx.AsyncClient(base_url=url, timeout=timeout, verify=False, trust_env=False)


async def sweep_s(client: httpx.AsyncClient, team: Team, seed: int) -> float:
    """Run a sweep whose answers no other sweep has; return the seconds from its start to its end."""
    options = {"seed": seed, "temperature": 0}
    config = {
        "dataset": "many", "collection": scripted.EXAMPLE, "options": options,
        "model": {"provider": "ollama", "name": scripted.MODELS[0]},
    }  # fmt: skip
    wanted = {"name": f"Load {seed}", "config": config, "axes": {"k": [3]}}
    began = datetime.now(UTC)
    started = await client.post("/api/v1/sweeps", json=wanted)
    if started.status_code != 201:
        raise SystemExit(f"the sweep did not start: {started.text}")
    team.running = started.json()["id"]
    while True:
        await asyncio.sleep(0.5)
        sweep = (await client.get(f"/api/v1/sweeps/{team.running}")).json()
        if sweep["state"] == "finished":
            # Not now: how late this is seen depends on the people.
            ended = max(datetime.fromisoformat(run["finished_at"]) for run in sweep["runs"])
            return (ended - began).total_seconds()
        if sweep["state"] not in ("queued", "running"):
            raise SystemExit(f"the sweep is {sweep['state']}: see the server's messages above")


def cpu_s(server: int) -> tuple[float, float, float]:
    """Seconds of processors: used by the server process, used by all processes, and there were."""
    own = Path(f"/proc/{server}/stat").read_text().rpartition(") ")[2].split()
    all_times = [int(ticks) for ticks in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    idle = all_times[3] + all_times[4]
    tick_s = 1 / os.sysconf("SC_CLK_TCK")
    return (int(own[11]) + int(own[12])) * tick_s, (sum(all_times) - idle) * tick_s, sum(all_times) * tick_s


async def measured(team: Team, server: int, size: Size) -> dict[str, Figure]:
    alone: list[float] = []
    together: list[float] = []
    memory: list[float] = []
    used: list[tuple[float, ...]] = []
    async with httpx.AsyncClient(base_url=team.url, timeout=60) as client:
        await sweep_s(client, team, FIRST_SEED)  # the server's first sweep loads its libraries
        first_s = await team.first_opening_s(client)
        while sum(together) < size.with_people_s:
            seed = FIRST_SEED + 2 * len(alone) + 1
            alone.append(await sweep_s(client, team, seed))
            before = cpu_s(server)
            async with team.at_work():
                together.append(await sweep_s(client, team, seed + 1))
            used.append(tuple(after - since for after, since in zip(cpu_s(server), before, strict=True)))
            memory.append((resident_memory(server) or 0) / 2**20)
            seconds = f"{alone[-1]:.1f} s alone, {together[-1]:.1f} s with people"
            print(f"  {size.asked_questions} questions: {seconds}, {memory[-1]:.0f} MB", flush=True)
    figures = {}
    for kind, took in sorted(team.took_ms.items()):
        p95 = quantiles(took, n=20)[-1]
        print(f"  {kind}: {len(took)} requests, median {median(took):.0f} ms, 95 % within {p95:.0f} ms")
        figures[f"p95_{kind.replace(' ', '_')}"] = Figure(p95, "lower", "ms", 300)
    for failure in team.failures[:10]:
        print(f"  failed: {failure}")
    slower = [with_people / by_itself for with_people, by_itself in zip(together, alone, strict=True)]
    of_server, of_all, there = map(sum, zip(*used, strict=True))
    return figures | {
        "first_opening": Figure(first_s, "lower", "s"),
        "sweep_slowed": Figure(100 * (median(slower) - 1), "lower", "%", 15),
        "cores_busy": Figure(100 * of_all / there, "lower", "%"),
        "server_cores": Figure(of_server / sum(together), "lower", "cores"),
        "failed_requests": Figure(len(team.failures), "lower", "requests", 0),
        "requests": Figure(sum(map(len, team.took_ms.values())), "higher", "requests"),
        "memory": Figure(memory[-1], "lower", "MB"),
        # The three readings of the quick form show how a server warms up, and not whether it grows.
        "memory_growth": Figure(growth(memory), "lower", "MB", None if size == QUICK else 20),
    }


def growth(readings: list[float]) -> float:
    """Return how much the last third is above the first, by their medians."""
    third = max(1, len(readings) // 3)
    return median(readings[-third:]) - median(readings[:third])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="people are there for about 1 minute")
    parser.add_argument("--apart", action="store_true", help="a second server runs the sweeps")
    chosen = parser.parse_args()
    size = QUICK if chosen.quick else FULL
    with tempfile.TemporaryDirectory() as folder, scripted.model_server() as models:
        settings = Settings(
            home=Path(folder), encoder=NO_ENCODER, embedding=f"ollama/{scripted.EMBEDDING}",
            concurrency=scripted.SLOTS, PASSER_OLLAMA_URL=models,
        )  # fmt: skip
        services = build_services(settings)
        try:
            services.library.examples.load(scripted.EXAMPLE)
            scripted.many_questions(services, size.asked_questions)
            frontend.fill(services, frontend.WIDE, runs=RUNS, questions=size.stored_questions)
        finally:
            services.close()
        environment = {
            "PASSER_ENCODER": NO_ENCODER, "PASSER_EMBEDDING": f"ollama/{scripted.EMBEDDING}",
            "PASSER_CONCURRENCY": str(scripted.SLOTS), "PASSER_OLLAMA_URL": models,
        }  # fmt: skip
        with contextlib.ExitStack() as servers:
            if chosen.apart:
                servers.enter_context(frontend.serving(Path(folder), **environment))
                environment["PASSER_SWEEPS_AT_ONCE"] = "0"
            url, server = servers.enter_context(frontend.serving(Path(folder), **environment))
            figures = asyncio.run(measured(Team(url, size), server, size))
    report("load", figures)


if __name__ == "__main__":
    main()
