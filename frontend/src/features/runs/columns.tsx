import { Progress, Text } from "@mantine/core";
import type { ListedRun, RunComposite, SweepComposites } from "@/api/types";
import { Hint } from "@/components/Hint";
import { SmallLink } from "@/components/links";
import { Moment } from "@/components/Moment";
import { formatAbout, formatScore, formatShare } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Quiet } from "@/components/Quiet";
import { StateBadge } from "@/components/StateBadge";
import { type Column, countColumn, plainColumn } from "@/components/table";
import { t } from "@/words";
import { STATES } from "@/words/states";
import classes from "./columns.module.css";

/** A listed run with its CPS, once that is known. */
export interface Row extends ListedRun {
  composites: SweepComposites | undefined;
  composite: RunComposite | undefined;
}

function policyOf({ run }: Row): string {
  const policy = run.config.retrieval;
  if (run.config.model.provider === "outside") return t("Own retrieval");
  switch (policy.mode) {
    case "score":
      return `${t("Similarity")} ≥ ${formatScore(policy.min_similarity, 2)}`;
    case "published-score":
      return `Published ${formatScore(policy.min_distance, 2)}`;
    case "relative":
      return t("≥ {share} of the best", { share: formatShare(policy.share) });
    case "gap":
      return t("Largest gap");
    case "normal":
      return `Top-k ${policy.k}`;
    case "none":
      return t("No retrieval");
  }
}

function Advance({ run, eta_s }: Row) {
  const { scored, failed, questions } = run.counts;
  return (
    <>
      {t("{done, number} of {total, number}", { done: scored, total: questions })}
      {failed > 0 && (
        <Text span size="xs" c="var(--bad-text)" ml={6}>
          {t("{count, plural, one {# failed} other {# failed}}", { count: failed })}
        </Text>
      )}
      {run.state !== "finished" && (
        <Progress
          size="xs"
          mt={4}
          value={questions > 0 ? (100 * (scored + failed)) / questions : 0}
          aria-label={t(
            "{done, number} of {total, plural, one {# evaluation} other {# evaluations}} scored",
            { done: scored, total: questions },
          )}
        />
      )}
      {eta_s != null && (
        <Quiet size="xs">{t("sweep: about {time} left", { time: formatAbout(eta_s) })}</Quiet>
      )}
    </>
  );
}

function Cps({ run, composites, composite }: Row) {
  const reason = run.counts.scored === 0 ? t("Not scored yet.") : (composites?.reason ?? "no_rows");
  const title = composites?.panel
    ? t("Panel {panel}, relative to {rows, plural, one {# row} other {# rows}} of its sweep", {
        panel: composites.panel,
        rows: composites.pool_rows,
      })
    : undefined;
  if (run.counts.scored > 0 && composites === undefined) return <span aria-hidden="true">…</span>;
  return (
    <Hint text={title}>
      <Num value={composite?.mean_cps} reason={reason} format={formatScore} />
    </Hint>
  );
}

/** What the list of runs shows; the server sorts by those that say so. */
export const COLUMNS: Column<Row>[] = [
  plainColumn("name", t("Run"), ({ run }) => run.name, {
    sort: "server",
    note: ({ run }) => run.is_baseline && t("baseline"),
  }),
  plainColumn("sweep", t("Sweep"), ({ sweep_name }) => sweep_name, {
    sort: "server",
    cell: ({ run, sweep_name }) => (
      <SmallLink to="/sweeps/$id" params={{ id: run.sweep_id }} className={classes.sweep}>
        {sweep_name}
      </SmallLink>
    ),
  }),
  plainColumn("state", t("State"), ({ run }) => STATES[run.state], {
    sort: "server",
    cell: ({ run }) => (
      <Hint text={run.reason ? run.reason : undefined}>
        <StateBadge state={run.state} failures={run.counts.failed} />
      </Hint>
    ),
  }),
  plainColumn("model", t("Model"), ({ run }) => run.config.model.name, { sort: "server" }),
  // The name of a run says it, unless somebody gave it another.
  plainColumn("policy", t("Retrieval"), policyOf, { isExtra: true, sort: "server" }),
  plainColumn("dataset", t("Dataset"), ({ run }) => run.config.dataset, {
    isExtra: "narrow",
    sort: "server",
  }),
  plainColumn("collection", t("Collection"), ({ run }) => run.config.collection, { isExtra: true }),
  countColumn("questions", t("n"), ({ run }) => run.counts.questions, {
    name: t("Questions"),
    isExtra: true,
    sort: "server",
  }),
  plainColumn("progress", t("Progress"), ({ run }) => `${run.counts.scored}/${run.counts.questions}`, {
    isExtra: "narrow",
    cell: (row) => <Advance {...row} />,
  }),
  plainColumn("cps", t("CPS"), ({ composite }) => composite?.mean_cps, {
    title: t("CPS relative to the pool of its sweep; not comparable between sweeps"),
    kind: "number",
    cell: (row) => <Cps {...row} />,
  }),
  plainColumn("started", t("Started"), ({ run }) => run.started_at, {
    sort: "server",
    kind: "number",
    cell: ({ run }) =>
      run.started_at ? (
        <Moment at={run.started_at} />
      ) : (
        <Num value={null} reason={t("Not started yet.")} format={String} />
      ),
  }),
];
