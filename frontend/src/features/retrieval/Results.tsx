import { Group, SegmentedControl, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usual } from "@/api/defaults";
import { datasetQueries } from "@/api/materials";
import type { InputSummary, RetrievalReport } from "@/api/types";
import { bindChoice } from "@/components/fields";
import { judgeName } from "@/components/judging/judgeName";
import { formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { type Column, countColumn, DataTable, plainColumn, textColumn } from "@/components/table";
import { FigureView } from "@/figures/FigureView";
import { t } from "@/words";
import { Bands } from "./Bands";
import { figureColumns } from "./figureColumns";
import { RATINGS } from "./ratings";

type Line = { id: string; text: string; ranks: (number | null)[] };

/** The figures at a chosen cut, then the questions one by one. */
export function Results({ report }: { report: RetrievalReport }) {
  const { ks, rankings, n_judged } = report;
  const [k, setK] = useState(String(ks.at(-1)));
  const last = String(ks.at(-1));
  const dataset = useQuery(datasetQueries.detail(report.dataset));
  const texts = new Map(dataset.data?.questions.map(({ id, text }) => [id, text]));
  const most = mostPrecise(report, Number(k));
  const cuts = (label: string) => (
    <SegmentedControl
      size="xs"
      aria-label={label}
      value={k}
      onChange={setK}
      data={ks.map((each) => ({ value: String(each), label: String(each) }))}
    />
  );
  const beside = cuts(t("Distances at K"));
  if (n_judged === 0) return <Bands report={report} k={k} beside={beside} limits={<RatingLimits />} />;
  return (
    <>
      <Panel title={t("Figures at K")} beside={cuts(t("Figures at K"))}>
        <DataTable
          name="retrieval"
          at="figures"
          label={t("Figures at K")}
          columns={figureColumns(report, k)}
          rows={rankings}
          keyOf={({ label }) => label}
        />
        <Quiet>
          {t(
            "Macro means over {n, plural, one {# question} other {# questions}}. Ranges are 95 % intervals by resampled questions. The intervals of the gains over {first} are simultaneous: with 95 % confidence, all of them contain the true gains.",
            { n: n_judged, first: rankings[0]?.label ?? "" },
          )}
        </Quiet>
        {most < 1 && (
          <Quiet>
            {t(
              "P@{k} can be at most {most}, because questions have fewer than {k} relevant {by, select, document {documents} other {passages}}.",
              { k, most: formatScore(most, 3), by: report.by },
            )}
          </Quiet>
        )}
        <RatingLimits />
        {report.inputs?.map((input) => (
          <Quiet key={`${input.kind} ${input.name}`}>{inputLine(input)}</Quiet>
        ))}
      </Panel>
      <Curves curves={report.curves ?? []} />
      <Bands report={report} k={k} beside={beside} />
      <Panel title={t("First relevant rank by question")}>
        <DataTable
          name="retrieval-questions"
          at="questions"
          label={t("First relevant rank by question")}
          columns={rankColumns(report, last)}
          rows={linesOf(report, texts)}
          keyOf={({ id }) => id}
          open={({ id }) => ({
            to: "/retrieval",
            search: (before: object) => ({ ...before, question: id }),
            hash: "rankings",
            resetScroll: false,
          })}
        />
      </Panel>
    </>
  );
}

/** An imported ranking, or the grades that measure, with the judge that made them. */
function inputLine({ kind, name, graded_by, rated = 0, digest: whole }: InputSummary): string {
  const digest = whole.slice(0, 12);
  if (!graded_by) {
    return t("{kind, select, run {Imported ranking} other {Imported grades}} {name}: SHA-256 {digest}", {
      kind,
      name,
      digest,
    });
  }
  const judge = judgeName(graded_by.name, rated);
  return t("Grades {name} by {judge}: SHA-256 {digest}", { name, judge, digest });
}

/** Mean precision at K of the best possible ranking: a question with one relevant passage cannot have more than 1 / K. */
function mostPrecise({ grades = {} }: RetrievalReport, k: number): number {
  const best = Object.values(grades).map(
    (of) => Math.min(k, Object.values(of).filter((grade) => grade >= 1).length) / k,
  );
  return best.length > 0 ? best.reduce((sum, each) => sum + each, 0) / best.length : 1;
}

/** One line for each question, with a rank for each retriever. */
function linesOf({ rankings }: RetrievalReport, texts: ReadonlyMap<string, string>): Line[] {
  const [first] = rankings;
  return (first?.questions ?? []).map(({ question_id }, place) => ({
    id: question_id,
    text: texts.get(question_id) ?? "",
    ranks: rankings.map(({ questions }) => questions[place]?.first_relevant ?? null),
  }));
}

function rankColumns({ rankings }: RetrievalReport, last: string): Column<Line>[] {
  return [
    plainColumn("question", t("Question"), ({ id }) => id, { note: ({ text }) => text || null }),
    ...rankings.map(
      ({ label }, place): Column<Line> =>
        countColumn(label, label, ({ ranks }) => ranks[place], {
          reason: t("Not among the first {k}", { k: last }),
        }),
    ),
  ];
}

/** One measure over the number of passages, a line for each retriever. */
function Curves({ curves }: { curves: NonNullable<RetrievalReport["curves"]> }) {
  const [chosen, choose] = useState("r-at-k");
  const figure = curves.find(({ id }) => id === chosen) ?? curves[0];
  if (!figure) return null;
  return (
    <>
      <Group>
        <Select
          label={t("Curve")}
          data={curves.map(({ id, title }) => ({ value: id, label: title }))}
          {...bindChoice(figure.id, choose)}
          w={{ base: "100%", sm: 420 }}
        />
      </Group>
      <FigureView key={figure.id} figure={figure} />
    </>
  );
}

const LIMITS = usual.rating_limits;
type Rating = keyof typeof RATINGS;
interface Row {
  rating: Rating;
}
const ROWS = (Object.keys(RATINGS) as Rating[]).map((rating): Row => ({ rating }));
/** The largest value of each rated figure. */
const LARGEST = { distance: 2, P: 1, R: 1 };

/** What each rating means: the limits that the server computes it by. */
function RatingLimits() {
  return (
    <details>
      <summary>{t("Limits of the ratings")}</summary>
      <DataTable
        name="rating-limits"
        at="ratings"
        label={t("Limits of the ratings")}
        columns={COLUMNS}
        rows={ROWS}
        keyOf={({ rating }) => rating}
        isShort
      />
    </details>
  );
}

const COLUMNS: Column<Row>[] = [
  textColumn("rating", t("Rating in words"), ({ rating }) => RATINGS[rating]),
  textColumn("distance", t("Mean distance"), rangeOf("distance")),
  textColumn("P", "P@K", rangeOf("P")),
  textColumn("R", "R@K", rangeOf("R")),
];

function rangeOf(rated: keyof typeof LARGEST): (row: Row) => string | null {
  return ({ rating }) => {
    const [low, high] = LIMITS?.[rated]?.[rating] ?? [];
    if (low === undefined || high === undefined) return null;
    const ends = { low: formatScore(low, 1), high: formatScore(high, 1) };
    if (high > LARGEST[rated]) return t("{low} or more", ends);
    return low === 0 ? t("below {high}", ends) : t("{low} to below {high}", ends);
  };
}
