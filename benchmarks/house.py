"""The size and shape of the code, and the files that one question passes through.

    python -m benchmarks.house [--quick]

Counted, without running anything:
- lines: all lines of `passer/**/*.py`, and of `.ts`, `.tsx` and `.css` under `frontend/src` without the generated
  files of the API; blank lines, docstrings, comments and the page's unit tests included.
- what the lines hold, by room: code, text (literal strings alone), imports, docstrings, comments and blank lines; unit
  tests of the page are a room of their own.
- functions: lines from `def` to the last statement, docstring included, decorators not; nested functions too.
- import cycles: over all import statements of `passer`, also those inside functions; imports under TYPE_CHECKING and
  of the package `passer` itself (its version) are left out.
- comments: comment tokens per 100 lines that hold code. Docstrings and notes to tools (noqa, type, fmt) count neither
  as comment nor as code, so reasons that stand in the docstring of a constant are not counted.
- comments_at_decisions: the same in DECIDING, the rooms of scheduling, leases, commits, statistics and canonical bytes.

Traced, by `passer run` in fresh home folders with the example corpus, the built-in reader and embedded stores:
- hops_of_a_question: files that work for each question, from the command until its scores are stored. A file counts if
  at least one of its functions runs at least N more times in a run of 1 + N questions than in a run of one. The values
  and formulas (`domain`, `ports`, `metrics`) are left out, everything after the scores (record, analysis) too, and
  what the clock does and not a question: progress, heartbeats, renewal of the lease (BY_THE_CLOCK).
- stack_of_a_question: files on the call stacks, from `passer.cli.main` or the start of a worker thread, at the moments
  of MOMENTS, the start of the sweep's thread included. Helpers that return before such a moment are not on this path.

`--quick` changes nothing: all of it takes less than a minute. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from statistics import quantiles
from types import FrameType

from benchmarks.report import Figure, report
from benchmarks.source_shape import (
    KINDS,
    ROOT,
    Sources,
    comment_density,
    count_lines,
    function_lengths,
    import_cycles,
    page_kinds,
    python_kinds,
)

PRODUCT = ROOT / "passer"
PAGE = ROOT / "frontend" / "src"
GENERATED = {"schema.d.ts", "models.d.ts", "defaults.ts"}

PYTHON_LINES, PAGE_LINES, FUNCTION_P90, FILE_LINES, COMMENTS, HOPS = 37_500, 21_500, 18, 300, 3, 20

MOMENTS: Mapping[str, tuple[str, ...]] = {
    "its sweep is run": ("run_or_follow",),
    "the question is searched": ("ChromaIndex.places",),
    "its prompt is rendered": ("JinjaPrompt.render",),
    "its request is queued": ("Pool.submit",),
    "its answer is written": ("ExtractiveReader.generate", "ExtractiveReader.complete"),
    "its scores are measured": ("PairScorer.score",),
    "both are stored": ("DatabaseEvaluations.record",),
}
"""Qualified names of the functions that mark each moment; a renamed one stops the benchmark with its moment's name."""
DECIDING = {
    "services/sweeps",
    "services/work",
    "engines",
    "adapters/store",
    "domain/verdict",
    "domain/evidence",
    "domain/bundle",
}
"""Rooms in which most decisions are made, for the goal of comments."""
RECORDED = "RunRecorder.built"
"""What begins when all scores are stored: the tracing of files at work ends here."""
BY_THE_CLOCK = (
    ("passer.cli.runs", "LOOK_EVERY_S"),
    ("passer.services.sweeps.progress_meter", "REPORT_EVERY_S"),
    ("passer.services.sweeps.scheduler", "HEARTBEAT_S"),
    ("passer.services.work.lease", "RENEW_EVERY_S"),
)
"""Seconds between two looks at a run: on a busy machine a run has as many looks as questions."""
VALUES = ("domain/", "ports/", "metrics/")
FURTHER_QUESTIONS = 10
EXAMPLE = "organic-farming"
ProfileFunction = Callable[[FrameType, str, object], None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="changes nothing: it is quick")
    parser.add_argument("--trace", metavar="FILE", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.trace:
        trace(Path(args.trace))
        return
    sources = {path: path.read_text(encoding="utf-8") for path in sorted(PRODUCT.rglob("*.py"))}
    page = {
        path: path.read_text(encoding="utf-8")
        for path in sorted(PAGE.rglob("*"))
        if path.suffix in {".ts", ".tsx", ".css"} and path.name not in GENERATED
    }
    traced = traced_files()
    print_rooms(sources)
    print_kinds("page", page, page_room_of, page_kinds)
    print("\nFiles that work for each question (hops):")
    print("\n".join(f"  {path}" for path in traced["hops"]))
    print("\nFiles on the call stacks of one question:")
    print("\n".join(f"  {path}" for path in traced["stack"]))
    for cycle in import_cycles(sources):
        print(f"Import cycle: {' -> '.join(cycle)}")
    print()
    report("house", figures_of(sources, page, traced))


def figures_of(sources: Sources, page: Sources, traced: Mapping[str, Sequence[str]]) -> dict[str, Figure]:
    """All figures with their goals."""
    lines = {path: count_lines(text) for path, text in sources.items()}
    functions = [length for text in sources.values() for length in function_lengths(text)]
    return {
        "python_lines": Figure(sum(lines.values()), "lower", "lines", goal=PYTHON_LINES),
        "page_lines": Figure(sum(map(count_lines, page.values())), "lower", "lines", goal=PAGE_LINES),
        "python_files": Figure(len(sources), "lower", "files"),
        "function_p90": Figure(quantiles(functions, n=10)[-1], "lower", "lines", goal=FUNCTION_P90),
        "longest_function": Figure(max(functions), "lower", "lines"),
        "longest_file": Figure(max(lines.values()), "lower", "lines", goal=FILE_LINES),
        "import_cycles": Figure(len(import_cycles(sources)), "lower", "cycles", goal=0),
        "comments": Figure(comment_density(sources.values()), "higher", "per 100 code lines", goal=COMMENTS),
        "comments_at_decisions": Figure(
            comment_density(text for path, text in sources.items() if room_of(path) in DECIDING),
            "higher",
            "per 100 code lines",
            goal=COMMENTS,
        ),
        "hops_of_a_question": Figure(len(traced["hops"]), "lower", "files", goal=HOPS),
        "stack_of_a_question": Figure(len(traced["stack"]), "lower", "files"),
    }


def print_rooms(sources: Sources) -> None:
    """What the lines of each room hold; services, adapters and domain are shown by their own rooms."""
    print_kinds("room", sources, room_of, python_kinds, comment_density)
    longest = sorted(sources, key=lambda path: -count_lines(sources[path]))[:5]
    print("\nLongest files: " + ", ".join(f"{named(path)} {count_lines(sources[path])}" for path in longest) + "\n")


def print_kinds(
    title: str,
    sources: Sources,
    room: Callable[[Path], str],
    kinds: Callable[[str], Counter[str]],
    density: Callable[[Sequence[str]], float] | None = None,
) -> None:
    """One row a room, the largest first, and their sum; with `density`, comments per 100 code lines."""
    rooms: dict[str, list[str]] = {}
    for path, text in sources.items():
        rooms.setdefault(room(path), []).append(text)
    listed = sorted(rooms.items(), key=lambda item: -sum(map(count_lines, item[1])))
    width = max(map(len, rooms))
    head = "  comments per 100 code lines" if density else ""
    print(f"{title:<{width}}  files   lines" + "".join(f"  {kind:>9}" for kind in KINDS) + head)
    for name, texts in [*listed, ("all", list(sources.values()))]:
        found = sum(map(kinds, texts), Counter[str]())
        counts = "".join(f"  {found[kind]:>9}" for kind in KINDS)
        dense = f"  {density(texts):>8.2f}" if density else ""
        print(f"{name:<{width}}  {len(texts):>5}  {found.total():>6}{counts}{dense}")


def page_room_of(path: Path) -> str:
    """`features/sweep`, `verify`, ...; unit tests together are the room `tests`."""
    folders = path.relative_to(PAGE).parts[:-1]
    if ".test." in path.name:
        return "tests"
    return "/".join(folders[: 2 if folders[:1] in {("features",), ("components",)} else 1]) or "."


def room_of(path: Path) -> str:
    """`domain`, `services/sweeps`, ...; single files of the package are the room `.`."""
    folders = path.relative_to(PRODUCT).parts[:-1]
    deep = 2 if folders[:1] in {("services",), ("adapters",), ("domain",)} else 1
    return "/".join(folders[:deep]) or "."


def named(path: Path) -> str:
    return path.relative_to(PRODUCT).as_posix()


def traced_files() -> dict[str, list[str]]:
    """`hops` and `stack`: files of the product, relative to it; traced in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder, "traced.json")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PASSER_")}
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.house", "--trace", str(written)],
            env=environment | {"HF_HUB_OFFLINE": "1"},
            capture_output=True,
            text=True,
            cwd=ROOT,
            check=False,
        )
        if done.returncode or not written.exists():
            sys.exit(f"The traced runs failed:\n{done.stderr[-2000:]}")
        found: dict[str, list[str]] = json.loads(written.read_text(encoding="utf-8"))
        return found


def trace(written: Path) -> None:
    """Trace a run for its stacks, then two for the files at work, and write what was found as JSON."""
    stack = traced_stack()
    one = calls_of(1)
    several = calls_of(1 + FURTHER_QUESTIONS)
    hops = {file for (file, name), count in several.items() if count - one[file, name] >= FURTHER_QUESTIONS}
    found = {"hops": sorted(file for file in hops if not file.startswith(VALUES)), "stack": stack}
    written.write_text(json.dumps(found), encoding="utf-8")


def traced_stack() -> list[str]:
    """Files on the call stacks at the moments of a question, in the order in which they are reached."""
    moments = {name: moment for moment, names in MOMENTS.items() for name in names}
    files: dict[str, None] = {}
    reached: set[str] = set()

    def profile(frame: FrameType, event: str, _: object) -> None:
        moment = moments.get(frame.f_code.co_qualname) if event == "call" else None
        if moment and file_of(frame):
            reached.add(moment)
            files.update(dict.fromkeys(reversed(list(stack_of(frame)))))

    run_profiled(1, profile)
    if missing := MOMENTS.keys() - reached:
        sys.exit(f"No traced function marks: {', '.join(sorted(missing))}. Name the new function in MOMENTS.")
    return list(files)


def calls_of(questions: int) -> Counter[tuple[str, str]]:
    """How often each function was called, by file and qualified name, until the scores were stored."""
    calls = Counter[tuple[str, str]]()
    recorded = threading.Event()

    def profile(frame: FrameType, event: str, _: object) -> None:
        if event != "call" or recorded.is_set() or not (file := file_of(frame)):
            return
        if frame.f_code.co_qualname == RECORDED:
            recorded.set()
        calls[file, frame.f_code.co_qualname] += 1

    run_profiled(questions, profile)
    if not recorded.is_set():
        sys.exit(f"{RECORDED} was not called: name the function that records a run in RECORDED.")
    return calls


def run_profiled(questions: int, profile: ProfileFunction) -> None:
    """`passer run` over the example in a fresh home folder, all threads profiled."""
    from passer.bootstrap import services
    from passer.cli import main as command_line

    with tempfile.TemporaryDirectory() as home:
        os.environ["PASSER_HOME"] = home
        with services() as built:
            built.library.examples.load(EXAMPLE)
        for module, seconds in BY_THE_CLOCK:
            setattr(import_module(module), seconds, 3600.0)
        sys.argv = ["passer", "run", "--dataset", EXAMPLE, "--collection", EXAMPLE, "--questions", str(questions)]
        threading.setprofile(profile)
        sys.setprofile(profile)
        try:
            command_line()
        except SystemExit as exc:
            if exc.code:
                raise
        finally:
            sys.setprofile(None)
            threading.setprofile(None)


def file_of(frame: FrameType) -> str | None:
    """The frame's file, relative to the product; None outside it."""
    inside, name = str(PRODUCT) + os.sep, frame.f_code.co_filename
    return name[len(inside) :] if name.startswith(inside) else None


def stack_of(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        if file := file_of(frame):
            yield file
        frame = frame.f_back


if __name__ == "__main__":
    main()
