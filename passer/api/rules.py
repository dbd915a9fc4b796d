"""Access rules: the role that each operation needs, and whether it is costly. A test keeps the table complete.

Costly requests are limited: otherwise forty slow analyses would hold all threads, and no page would open.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from fastapi import Request

from passer.domain.accounts.account import Role
from passer.domain.wording.sentence import sentence
from passer.errors import QueueFull


@dataclass(frozen=True)
class Rule:
    """Access rule of an operation."""

    role: Role | None
    """The least role that may call it; None for everyone, also without an account."""
    reach: Literal["project", "account", "installation", "monitoring"] = "project"
    """Place at which the role is required: the project of the request; `account` is for everybody who is signed in, and
    `installation` for administrators of the default project. `monitoring` is for these too, and for all their tokens:
    the program that watches a server need not hold a token that may change it."""
    is_costly: bool = False
    """True if it computes for long: only a few run side by side, so that cheap requests are always answered."""


_EVERYONE, _VIEWER, _RESEARCHER, _ADMIN = Rule(None), Rule("viewer"), Rule("researcher"), Rule("admin")
_ACCOUNT, _INSTALLATION = Rule("viewer", reach="account"), Rule("admin", reach="installation")
_EVERYONE_COSTLY = Rule(None, is_costly=True)
_VIEWER_COSTLY, _RESEARCHER_COSTLY = Rule("viewer", is_costly=True), Rule("researcher", is_costly=True)

# Operations by the rule that they follow, one line for each noun.
_OPERATIONS: tuple[tuple[Rule, str], ...] = (
    (
        _EVERYONE,
        """
        health ready show_session sign_in recover_account
        begin_provider_sign_in finish_provider_sign_in begin_wallet_sign_in finish_wallet_sign_in
        """,
    ),
    # Raters have a link instead of an account; their labels name them, and the activity log names no secrets.
    (_EVERYONE, "show_rating_sheet show_rating_pair reserve_pair rate_pair"),
    # An auditor checks what was published without an account.
    (_EVERYONE_COSTLY, "verify_bundle"),
    (_ACCOUNT, "sign_out change_own_password list_projects list_identities delete_identity"),
    (
        _VIEWER,
        """
        list_tokens create_token delete_token
        list_collections list_examples list_experiments
        list_datasets show_dataset list_dataset_versions show_dataset_difference
        list_rerankers list_rankings list_term_maps show_term_map
        list_assessments show_assessment list_marks list_key_facts show_judgement list_tunings
        list_draftings show_drafting
        list_tournaments list_people show_tournament list_games show_game
        list_label_draws list_labels show_rating_queue show_rating_item list_passage_ratings
        show_thumbs show_answer_thumbs
        list_imports show_import list_sheet_questions show_sheet_question
        list_jobs show_job
        list_ledger_entries show_ledger_head show_ledger_checkpoint show_ledger_key prove_ledger_row
        prove_ledger_consistency show_wallet_chain
        list_metrics show_defaults list_settings list_prompts
        list_runs show_run list_run_entries list_evaluations show_evaluation show_manifest list_studies
        list_sweeps show_sweep show_sweep_now follow_sweep
        """,
    ),
    (
        _VIEWER_COSTLY,
        """
        search_collection list_models show_system show_dataset_history
        rate_tournament compare_tournaments show_people export_tournament
        compare_runs compare_origins export_comparison draw_comparison tabulate_comparison
        list_changed_questions export_changed_questions
        cross_domains export_domains draw_domains tabulate_domains
        analyse_import show_defect_effects export_import export_import_study draw_import report_import tabulate_import
        recompute_sheet_question
        show_run_metrics list_run_composites locate_run_failures ground_run ground_evaluation
        analyse_sweep weigh_sweep summarise_sweep export_sweep export_sheets draw_sweep pair_sweep report_sweep
        tabulate_sweep locate_sweep_failures ground_sweep list_sweep_questions show_sweep_question
        draw_answer_pairs compare_answer_pairs
        show_judged_run list_judged_answers calibrate_judge explain_failures compare_judges compare_columns
        export_qrels export_label_sheet
        export_bundle export_study export_published_study
        time_sweep compare_timings export_timing_comparison export_timings
        """,
    ),
    (
        _RESEARCHER,
        """
        create_assessment resume_assessment cancel_assessment create_tuning
        create_drafting decide_draft finish_drafting resume_drafting cancel_drafting
        create_tournament add_to_tournament delete_tournament
        start_people start_people_of_runs add_rating_link revoke_rating_link
        draw_labels import_labels reserve_item rate_item rate_passage add_thumb add_answer_thumb
        ingest_address ingest_documents ingest_text reindex_collection delete_collection
        delete_dataset load_example import_ragelo import_answers
        create_import delete_import
        import_ranking save_qrels delete_ranking save_term_map delete_term_map
        cancel_job
        prepare_transaction drop_transaction sign_transaction
        create_run record_run
        create_sweep plan_sweep steer_sweep annotate_sweep
        """,
    ),
    (
        _RESEARCHER_COSTLY,
        """
        ask_again ask_question
        plan_assessment plan_tuning plan_drafting
        plan_tournament plan_tournament_by_rule plan_addition create_tournament_by_rule import_tournament
        create_dataset preview_dataset
        compare_retrievers show_retrieval list_retrieval_questions rank_question export_trec
        match_k score_pairs preview_sweep
        publish_study publish_import
        """,
    ),
    (_ADMIN, "connect_server test_server disconnect_server pull_model set_setting unset_setting"),
    (Rule("admin", is_costly=True), "list_activity check_activity export_activity"),
    (Rule("admin", reach="monitoring"), "show_monitoring"),
    (
        _INSTALLATION,
        """
        list_users add_user change_user delete_user add_recovery_link
        add_project list_members set_member remove_member
        """,
    ),
)
RULES: Mapping[str, Rule] = {name: rule for rule, names in _OPERATIONS for name in names.split()}
"""Rules by operation id."""

_ONLY_COMPUTE = {
    "list_activity", "check_activity", "list_users", "list_members", "show_monitoring",
    "plan_assessment", "plan_tuning", "plan_drafting", "plan_sweep",
    "plan_tournament", "plan_tournament_by_rule", "plan_addition", "preview_dataset", "preview_sweep",
    "compare_retrievers", "show_retrieval", "list_retrieval_questions", "rank_question", "export_trec",
    "match_k", "score_pairs",
    # A reservation only lasts ten minutes and is not recorded; the rating that follows is.
    "reserve_item",
}  # fmt: skip

LOGGED = frozenset(
    {
        *(name for name, rule in RULES.items() if rule.role in ("researcher", "admin") and name not in _ONLY_COMPUTE),
        *("sign_in", "finish_provider_sign_in", "finish_wallet_sign_in", "sign_out", "delete_identity"),
        *("recover_account", "change_own_password", "create_token", "delete_token"),
    }
)
"""Operations that the activity log records: all that change something, start work, or ask a model."""


def rule_of(request: Request) -> Rule:
    """Return the rule of the operation that a request calls; one without a row is for administrators."""
    return RULES.get(request.scope["route"].operation_id, _INSTALLATION)


AT_ONCE = 8
"""Costly requests that run side by side; the rest of the threads answer the others."""
WAITING = 64
"""Costly requests that wait for a slot; further ones are refused."""


class RequestLimiter:
    """Semaphore for costly requests; waiting requests hold no thread."""

    def __init__(self, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._most, self._inside = at_once + waiting, 0

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait for a slot and hold it; QueueFull if too many requests wait already."""
        if self._inside >= self._most:
            raise QueueFull(sentence("problem.too-busy"))
        self._inside += 1
        try:
            async with self._free:
                yield
        finally:
            self._inside -= 1


async def limit_costly(request: Request) -> AsyncIterator[None]:
    """Dependency of every route: holds a slot while a costly request runs."""
    if rule_of(request).is_costly:
        async with request.app.state.request_limiter.slot():
            yield
    else:
        yield
