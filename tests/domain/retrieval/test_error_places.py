"""Places of refused values."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from passer.domain.retrieval.error_places import place_of
from passer.domain.sweeps.axes import Axes


def test_the_place_names_no_kind_but_a_field_or_term_of_the_same_name() -> None:
    terms = {"form": "terms", "name": "farm", "terms": {"fused": [""]}}
    retriever = {"form": "rewritten", "of": {"form": "dense"}, "by": terms}
    with pytest.raises(ValidationError) as refused:
        Axes.model_validate({"retriever": [retriever]})
    assert place_of(refused.value.errors()[0]["loc"]) == ("retriever", "0", "by", "terms", "fused", "0")
