"""Tampers that leave every digest right: values that no honest run can have."""

from __future__ import annotations

from collections.abc import Callable

from tests.services.provenance.bundle_verifier.forging import Draft, Json, Stage


def scores(number: int, **values: float) -> Callable[[Draft], None]:
    def change(draft: Draft) -> None:
        draft.records[number]["scores"] |= {name.replace("_", " "): value for name, value in values.items()}

    return change


def passages(change: Callable[[list[Json]], object], number: int = 11) -> Callable[[Draft], object]:
    """Of a record that has three."""
    return lambda draft: change(draft.records[number]["passages"])


def config(**values: object) -> Callable[[Draft], None]:
    return lambda draft: draft.manifest["config"].update(values)


def retrieval(**values: object) -> Callable[[Draft], None]:
    return lambda draft: draft.manifest["config"].update(retrieval=values)


def raise_all(draft: Draft) -> None:
    """As someone does who wants a better mean."""
    for record in draft.records:
        if record["scores"]:
            record["scores"]["METEOR"] = (record["scores"]["METEOR"] or 0) + 0.9
            record["missing"].pop("METEOR", None)


VALUES: dict[str, tuple[Stage, Callable[[Draft], object]]] = {
    "METEOR of 7.5": ("records", scores(0, METEOR=7.5)),
    "METEOR raised by .9": ("records", raise_all),
    "a negative BLEU": ("records", scores(3, BLEU=-0.01)),
    "a perplexity of a half": ("records", scores(3, Laplace_Perplexity=0.5)),
    "a cosine beyond 1": ("records", scores(5, Cosine_similarity=1.01)),
    "a rating of 6": ("records", lambda d: d.records[5]["scores"].update({"B-RT.average": 6})),
    "a similarity of 2": ("records", passages(lambda found: found[0].update(similarity=2))),
    "a similarity below the threshold": ("records", passages(lambda found: found[-1].update(similarity=0.2))),
    "passages in another order": ("records", passages(
        lambda found: [one.update(similarity=s) for one, s in zip(found, (0.5, 0.6, 0.4), strict=True)])),
    "a rank left out": ("records", passages(lambda found: found[-1].update(rank=7))),
    "ranks that begin later": ("records", passages(lambda found: found.pop(0))),
    "more passages than k": ("records", retrieval(mode="normal", k=2)),
    "passages without retrieval": ("records", retrieval(mode="none")),
    "passages nearer than a published threshold": ("records", retrieval(
        mode="published-score", min_distance=1.5, max_k=100, k_increment=2)),
    "another model": ("records", lambda d: d.manifest["model"].update(name="gpt-4o")),
    "another model in the configuration": ("records", config(model={"name": "gpt-4o", "provider": "openai"})),
    "another dataset": ("records", lambda d: d.manifest["dataset"].update(name="another")),
    "another collection": ("records", config(collection="another")),
    "another prompt": ("records", lambda d: d.manifest["prompt_template"].update(name="cited")),
    "more questions than asked": ("records", config(questions=11)),
}  # fmt: skip
