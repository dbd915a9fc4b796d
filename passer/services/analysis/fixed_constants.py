"""Analyses with fixed constants: given ones, or those of another analysis."""

from __future__ import annotations

from dataclasses import dataclass

from passer.domain.analysis.choices import SheetChoices, SweepChoices, check_scope
from passer.domain.analysis.constants import FIELD, Constants
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.services.analysis.sweep_results import SweepResults
from passer.services.sheets.sheet_library import ID_PREFIX, SheetLibrary

CORRECTED = SheetChoices(procedure="corrected")


@dataclass(frozen=True)
class FixedConstants:
    """Takes constants from the own pool of a sweep or an import."""

    sweep_results: SweepResults
    sheet_library: SheetLibrary

    def sweep(self, choices: SweepChoices, given: Constants | str | None) -> SweepChoices:
        """Return the choices with constants, given directly or as the id of an analysis.

        Raises InputError for constants that do not fit the choices, and NotFoundError if the analysis does not exist.
        """
        check_scope(choices.scope, pinned=given is not None)
        found = self._constants(given, choices, CORRECTED) if isinstance(given, str) else given
        return choices.model_copy(update={"constants": found})

    def sheets(self, choices: SheetChoices, given: Constants | str | None) -> SheetChoices:
        """Return the choices for imported sheets with constants.

        Raises InputError for constants that do not fit the choices, and NotFoundError if the analysis does not exist.
        """
        found = self._constants(given, SweepChoices(), choices) if isinstance(given, str) else given
        return choices.model_copy(update={"constants": found})

    def _constants(self, given: str, of_sweep: SweepChoices, of_sheets: SheetChoices) -> Constants:
        """Return the constants of the own pool of an analysis, made as this one is."""
        if given.startswith(ID_PREFIX):
            choices = of_sheets.model_copy(update={"constants": None, "labels": {}})
            found = self.sheet_library.analyse(given, choices).constants
        else:
            found = self.sweep_results.analyse(given, of_sweep).constants
        if found is None:
            raise InputError(
                sentence("analysis.several-pools", name=given),
                field=FIELD,
            )
        return found
