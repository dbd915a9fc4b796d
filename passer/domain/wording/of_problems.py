"""Why runs stop, why questions fail, and what is refused most often."""

from __future__ import annotations

_LOG = "Look into the log of {server}:"

TEMPLATES: dict[str, str] = {
    # Why a run does not go on.
    "stop.by-person": "Paused by a person: resume it to go on.",
    "stop.own-failure": "PaSSER itself failed: look at the log, then resume.",
    "stop.other-scorer": (
        "Scores of this sweep began with {name} {before} and would go on with {now}: bring that back and resume, or "
        "start a new sweep."
    ),
    # What a model server says or does.
    "server.away": "Start the model server at {server}: it does not accept connections.",
    "server.overloaded": "Wait or ask {server} less: it is overloaded ({status:d}: {said}).",
    "server.failed": f"{_LOG} it failed ({{status:d}}: {{said}}).",
    "server.context": "Keep fewer passages or raise num_ctx: {server} says {said!r}.",
    "server.key": "Set a valid API key for {server}: it refused this one ({status:d}).",
    "server.refused": "Check model and options: {server} refused the request ({status:d}: {said}).",
    "server.silent": "Raise the read time-out or use a smaller model: {server} was silent for too long.",
    "server.lost": f"{_LOG} the connection was lost before the reply was complete.",
    "server.cut-short": f"{_LOG} the reply ended before it was complete.",
    "server.too-much": "Lower num_predict: {server} sent more than an answer can hold.",
    "server.too-slow": ("Lower num_predict or use a smaller model: {server} had not finished after {seconds:g} s."),
    "server.unreadable": "Check that {server} is the model server: its reply cannot be read ({kind}: {said}).",
    "server.model-failed": f"{_LOG} the model failed while it answered ({{said}}).",
    "server.no-model": "Run `ollama pull {model}` on {server}: it does not have the model.",
    "server.other-model": (
        "Start a new run: {model} at {server} is now another model ({now}) than when this one began ({before})."
    ),
    # What is asked for and not there, or not possible.
    "problem.no-run": "There is no run {run!r}: `passer runs` lists those that there are.",
    "problem.no-sweep": "There is no sweep {sweep!r}: `passer runs` lists those that there are.",
    "problem.no-dataset": "There is no dataset {name!r}: add it with `passer import dataset FILE`.",
    "problem.no-collection": "There is no collection {name}: ingest documents into it first.",
    "problem.no-import": "There is no import {id!r}: add one with `passer import sheets DIR`.",
    "problem.no-sheet": "{name} has no sheet {path!r}: name one that its audit lists.",
    "problem.no-row": "{path} has rows 0 to {last:d}: there is no number {number:d}.",
    "problem.no-question": "Run {run} has questions 0 to {last:d}: there is no number {number:d}.",
    "problem.not-all-scored": "Some of these runs have no scored question yet.",
    "problem.nothing-scored": "No question is scored yet: wait for the first, or resume the runs.",
    "problem.name-needed": "Deleting needs the name: confirm with {name!r}.",
    "problem.runs-differ": "These runs differ in {what} ({values}), so {why}: analyse them separately.",
    "differ.pairing": "their questions cannot be paired",
    "differ.columns": "their columns are defined differently",
    "differ.texts": "different texts were scored",
    "differ.scores": "their scores depend on it",
    "problem.same-study": "These are the same study: name two different ones.",
}
