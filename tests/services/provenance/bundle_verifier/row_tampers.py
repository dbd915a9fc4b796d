"""Tampers with records, with values of the manifest that follow from them, with scores.csv and timings.jsonl."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from passer.domain.base import canonical_json
from passer.domain.bundle.verification import StepName
from tests.services.provenance.bundle_verifier.forging import ZEROS, Draft, Json, collection_digest


def line(number: int, change: Callable[[bytes], bytes]) -> Callable[[Draft], None]:
    def changed(draft: Draft) -> None:
        before = draft.lines[number]
        draft.lines[number] = change(before)
        assert draft.lines[number] != before

    return changed


def same_id(draft: Draft) -> None:
    draft.records[9]["id"] = draft.timings[9]["id"] = draft.records[6]["id"]


def no_records(draft: Draft) -> None:
    draft.records, draft.timings = [], []


def off_record(change: Callable[[Json], object], number: int = 9) -> Callable[[Draft], None]:
    """A canonical line of another form; what follows from the records follows from the right ones."""

    def changed(draft: Draft) -> None:
        record = dict(draft.records[number])
        change(record)
        draft.lines[number] = canonical_json(record) + b"\n"

    return changed


LINES: dict[str, Callable[[Draft], object]] = {
    "white space": line(9, lambda text: text.replace(b',"id"', b', "id"')),
    "a member twice": line(9, lambda text: text.replace(b',"id"', b',"id":"x","id"', 1)),
    "a carriage return": line(9, lambda text: text[:-1] + b"\r\n"),
    "a byte that is no UTF-8": line(9, lambda text: text.replace(b'"state"', b'"st\xffte"')),
    "an exponent": line(9, lambda text: text.replace(b'"BLEU":0.5', b'"BLEU":5e-1')),
    "one member more": off_record(lambda r: r.update(more=1)),
    "one member less": off_record(lambda r: r.pop("notes")),
    "a member with a default less": off_record(lambda r: r.update(timings={"eval_count": 1})),
    "another place": off_record(lambda r: r.update(number=8)),
    "a negative number": off_record(lambda r: r.update(number=-9)),
    "a state that there is not": off_record(lambda r: r.update(state="done")),
    "a reason though it has an answer": off_record(lambda r: r.update(reason="Why?")),
    "no answer": off_record(lambda r: r.update(answer=None)),
    "scores though it is only answered": off_record(lambda r: r.update(state="answered")),
    "a failure without a reason": off_record(lambda r: r.update(reason=None), 7),
    "a failure with an answer": off_record(lambda r: r.update(answer="a"), 7),
    "one column less": off_record(lambda r: r.update(scores={k: v for k, v in r["scores"].items() if k != "BLEU"})),
    "one column more": off_record(lambda r: r.update(scores=r["scores"] | {"MORE": 1})),
    "a value missing without a reason": off_record(lambda r: r.update(scores=r["scores"] | {"BLEU": None})),
    "a reason for a value that is there": off_record(lambda r: r.update(missing={"BLEU": "no_tokens"})),
    "a reason that there is not": off_record(lambda r: r.update(missing={"METEOR": "luck"})),
    "a note of a value that is missing": off_record(lambda r: r.update(notes={"METEOR": "answer_cut_off"})),
    "a note that there is not": off_record(lambda r: r.update(notes={"BLEU": "nice"})),
    "a time beyond 2^53 - 1": off_record(lambda r: r.update(timings=r["timings"] | {"eval_count": float(2**53)})),
    "a digest of a prompt that is none": off_record(lambda r: r.update(prompt_digest="f" * 63)),
    "a passage without a rank": off_record(lambda r: r.update(passages=[{"id": "p", "similarity": 0.5}])),
}


# The rest of manifest.json: a value that does not follow, with seals and rows of that very manifest.


def manifest(change: Callable[[Json], object]) -> Callable[[Draft], object]:
    return lambda draft: change(draft.manifest)


def unordered(m: Json) -> None:
    m["collection"]["documents"] = [{"name": name, "digest": ZEROS, "passages": 1} for name in ("b", "a")]
    m["collection"]["digest"] = collection_digest(m["collection"])


VALUES: dict[tuple[StepName, str], Callable[[Json], object]] = {
    ("root", "another root"): lambda m: m.update(questions_root=ZEROS),
    ("config", "another digest"): lambda m: m.update(config_digest=ZEROS),
    ("config", "another option"): lambda m: m["config"]["options"].update(temperature=0.3),
    ("collection", "another digest"): lambda m: m["collection"].update(digest=ZEROS),
    ("collection", "another chunk size"): lambda m: m["collection"]["chunking"].update(chunk_size=2048),
    ("collection", "another embedding model"): lambda m: m["collection"]["embedding"].update(digest="unknown"),
    ("collection", "one document more"): lambda m: m["collection"].update(
        documents=[*m["collection"]["documents"], {"name": "z", "digest": ZEROS, "passages": 1}]
    ),
    ("collection", "documents in another order"): unordered,
    **{
        ("counts", f"another {name}"): (lambda m, name=name: m["counts"].update({name: m["counts"][name] + 1}))
        for name in ("asked", "answered", "scored", "failed")
    },
    ("counts", "another reason"): lambda m: m["counts"].update(reasons={"Why?": 1}),
    ("counts", "one reason more"): lambda m: m["counts"]["reasons"].update(constructor=1),
    ("counts", "another size of the dataset"): lambda m: m["dataset"].update(questions=13),
    ("means", "another mean"): lambda m: m["means"]["BLEU"].update(mean=0.25),
    ("means", "no mean"): lambda m: m["means"]["BLEU"].update(mean=None),
    ("means", "another number of values"): lambda m: m["means"]["B-RT.average"].update(n=1),
    ("means", "one column less"): lambda m: m["means"].pop("B-RT.average"),
    ("means", "one column more"): lambda m: m["means"].update({"constructor": {"mean": 1, "n": 1}}),
    ("timings", "another digest"): lambda m: m.update(timings_digest=ZEROS),
}


# scores.csv and timings.jsonl


def table(change: Callable[[bytes], bytes]) -> Callable[[Draft], None]:
    def changed(draft: Draft) -> None:
        before = draft.members["scores.csv"]
        draft.members["scores.csv"] = change(before)
        assert draft.members["scores.csv"] != before

    return changed


TABLES: dict[str, Callable[[bytes], bytes]] = {
    "another header": lambda text: text.replace(b"METEOR", b"Meteor", 1),
    "another number": lambda text: text.replace(b",scored,", b",scored,1", 1),
    "another spelling of a number": lambda text: text.replace(b",0.5,", b",0.50,", 1),
    "another leaf": lambda text: text.replace(text.split(b",scored,")[0][-64:], ZEROS.encode(), 1),
    "another id": lambda text: text.replace(b"q-0009", b"q-0090"),
    "a formula": lambda text: text.replace(b"'=1+1", b"=1+1"),
    "another state": lambda text: text.replace(b",failed,", b",scored,"),
    "a line feed alone": lambda text: text[:-2] + b"\n",
    "one row more": lambda text: text + text.split(b"\r\n")[-2] + b"\r\n",
    "one row less": lambda text: text[: text[:-2].rindex(b"\r\n") + 2],
    "a byte more": lambda text: text + b" ",
    "nothing": lambda text: b"",
}


def timing(place: int, **values: Any) -> Callable[[Draft], None]:
    def changed(draft: Draft) -> None:
        draft.timing_lines[place] = canonical_json(draft.timings[place] | values) + b"\n"

    return changed


TIMINGS: dict[str, Callable[[Draft], object]] = {
    "another id": timing(9, id="q-0090"),
    "another number": timing(9, number=8),
    "one member more": timing(9, more=1),
    "a text for seconds": timing(9, scoring_s="1"),
    "a number for a truth value": timing(9, reused=0),
    "white space": lambda d: d.timing_lines.__setitem__(9, d.timing_lines[9].replace(b":", b": ", 1)),
    "its end cut off": lambda d: d.timing_lines.__setitem__(11, d.timing_lines[11][:-1]),
    "one line more": lambda d: d.timing_lines.append(canonical_json(d.timings[11] | {"number": 12}) + b"\n"),
    "one line less": lambda d: d.timing_lines.pop(),
}
