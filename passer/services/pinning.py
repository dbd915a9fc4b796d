"""Analyses pinned to constants: those that are given, or those of another analysis that is here."""

from __future__ import annotations

from dataclasses import dataclass

from passer.domain.analysis.choices import SheetChoices, SweepChoices, check_scope
from passer.domain.analysis.constants import FIELD, Constants
from passer.errors import InputError
from passer.services.comparing import Comparing
from passer.services.importing import ID_PREFIX, Importing

CORRECTED = SheetChoices(procedure="corrected")


@dataclass(frozen=True)
class Pinning:
    """Takes constants from the own pool of a sweep or an import."""

    comparing: Comparing
    importing: Importing

    def sweep(self, choices: SweepChoices, given: Constants | str | None) -> SweepChoices:
        """The choices pinned to constants, or to those of a sweep or an import by its id. InputError, NotFoundError."""
        check_scope(choices.scope, pinned=given is not None)
        found = self._constants(given, choices, CORRECTED) if isinstance(given, str) else given
        return choices.model_copy(update={"constants": found})

    def sheets(self, choices: SheetChoices, given: Constants | str | None) -> SheetChoices:
        """The same of imported sheets."""
        found = self._constants(given, SweepChoices(), choices) if isinstance(given, str) else given
        return choices.model_copy(update={"constants": found})

    def _constants(self, given: str, of_sweep: SweepChoices, of_sheets: SheetChoices) -> Constants:
        """Of the own pool of an analysis, made as this one is."""
        if given.startswith(ID_PREFIX):
            choices = of_sheets.model_copy(update={"constants": None, "labels": {}})
            found = self.importing.analyse(given, choices).constants
        else:
            found = self.comparing.analyse(given, of_sweep).constants
        if found is None:
            raise InputError(
                f"{given} has no constants of its own, because it has several pools: name another analysis.",
                field=FIELD,
            )
        return found
