"""Packages that are not installed: the command that adds them, in the reader's language."""

from __future__ import annotations

import pytest

from passer.domain.extras import missing_extra, requires_extra
from passer.domain.wording.sentence import Sentence, sentence, text_of
from passer.errors import ConfigError, UnavailableError


def test_a_missing_package_becomes_the_command_that_installs_it():
    with pytest.raises(UnavailableError) as caught, requires_extra("report", sentence("extra.figures")):
        raise ImportError("no module")
    said = caught.value.message
    assert said == 'Drawing figures needs packages that are not installed. Run: pip install "passer-rag[report]"'
    assert isinstance(said, Sentence)
    assert said.message is not None
    bulgarian = text_of(said.message, "bg")
    assert bulgarian.startswith("Чертаенето на фигури изисква пакети, които не са инсталирани.")
    assert bulgarian.endswith('pip install "passer-rag[report]"')


def test_another_error_may_be_raised_and_what_is_installed_passes():
    with pytest.raises(ConfigError), requires_extra("team", "Accounts", ConfigError):
        raise ImportError("no module")
    with requires_extra("team", "Accounts"):
        pass


def test_a_name_is_said_as_it_is_in_both_languages():
    message = missing_extra("postgres", "PostgreSQL").message
    assert message is not None
    assert text_of(message, "bg").startswith("PostgreSQL изисква пакети")
