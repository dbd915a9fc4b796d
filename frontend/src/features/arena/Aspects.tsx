import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { ReadPeople } from "@/api/types";
import { AgreementFacts } from "@/components/judging/AgreementFacts";
import { ASPECTS } from "@/components/judging/aspects";
import { Confusion } from "@/components/judging/Confusion";
import { AnchorLink } from "@/components/links";
import { formatInterval, formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import {
  type Column,
  countColumn,
  DataTable,
  pColumn,
  plainColumn,
  scoreColumn,
  textColumn,
} from "@/components/table";
import { t } from "@/words";

type Figures = ReadPeople["aspects"][number];
type Judge = Figures["judges"][number];

interface Props {
  figures: Figures;
  /** Names of the systems by id. */
  names: Map<string, string>;
  sweep: string | null;
}

/** Grades of people in one aspect: systems, their differences, and the agreement of raters and judges. */
export function AspectPanel({ figures, names, sweep }: Props) {
  const { aspect, answers, repeated, consistent, raters, systems, tests, judges } = figures;
  const { label, asks } = ASPECTS[aspect];
  const nameOf = (run: string) => names.get(run) ?? run;
  const systemColumns: Column<Figures["systems"][number]>[] = [
    textColumn("system", t("System"), ({ run }) => nameOf(run)),
    scoreColumn("mean", t("Mean"), ({ mean }) => mean, {
      reason: t("No answer of this system is graded yet."),
    }),
    countColumn("questions", t("Questions"), ({ questions }) => questions),
  ];
  return (
    <Panel title={t("Grades: {aspect}", { aspect: label })}>
      <Quiet>{asks}</Quiet>
      <Text size="sm">
        {t(
          "{answers, plural, one {# graded answer} other {# graded answers}}. Grades 0, 1 and 2 count as 0, 0.5 and 1.",
          { answers },
        )}{" "}
        {repeated > 0 &&
          t("{consistent, number} of {repeated, number} grades were the same when the answers came back.", {
            consistent,
            repeated,
          })}
      </Text>
      {raters.map(({ one, other, answers, same, kappa }) => (
        <Text key={`${one} ${other}`} size="sm">
          {t("{one} and {other}: {same, number} of {answers, number} grades are the same, κ {kappa}.", {
            one,
            other,
            same,
            answers,
            kappa: kappa === null ? t("not defined") : formatScore(kappa),
          })}
        </Text>
      ))}
      <DataTable
        name={`arena-aspect-${aspect}`}
        label={t("Systems by {aspect}", { aspect: label })}
        columns={systemColumns}
        rows={systems}
        keyOf={({ run }) => run}
        isShort
      />
      <Differences label={t("Differences in {aspect}", { aspect: label })} tests={tests} nameOf={nameOf} />
      {judges.map((judge) => (
        <AspectJudge key={judge.assessment} judge={judge} sweep={sweep}>
          <Differences
            label={t("Differences in {aspect} by {judge}", { aspect: label, judge: judge.judge })}
            tests={judge.tests}
            nameOf={nameOf}
          />
        </AspectJudge>
      ))}
    </Panel>
  );
}

interface DifferencesProps {
  label: string;
  tests: Figures["tests"];
  nameOf: (run: string) => string;
}

/** Pairs of systems, by the grades of people or of a judge. */
function Differences({ label, tests, nameOf }: DifferencesProps) {
  if (tests.length === 0) return null;
  const columns: Column<Figures["tests"][number]>[] = [
    textColumn("pair", t("Pair"), ({ a, b }) => `${nameOf(a)} − ${nameOf(b)}`),
    plainColumn("difference", t("Difference"), ({ test }) => differenceOf(test)),
    pColumn("p", t("p (paired t)"), ({ test }) => test.p),
    pColumn("holm", t("p by Holm over the aspects"), ({ p_holm }) => p_holm),
    pColumn("flips", t("p (sign flips)"), ({ flip_p }) => flip_p),
  ];
  return (
    <DataTable
      name="arena-aspect-tests"
      label={label}
      columns={columns}
      rows={tests}
      keyOf={({ a, b }) => `${a} ${b}`}
      isShort
    />
  );
}

function differenceOf({ mean_difference, ci }: Figures["tests"][number]["test"]): string | null {
  if (mean_difference === null) return null;
  const interval = ci && formatInterval(ci);
  return interval ? `${formatScore(mean_difference)} (${interval})` : formatScore(mean_difference);
}

function AspectJudge({
  judge: { assessment, judge, agreement, ceiling },
  sweep,
  children,
}: {
  judge: Judge;
  sweep: string | null;
  /** The differences that the judge finds. */
  children: ReactNode;
}) {
  return (
    <Stack gap="xs">
      <h3>
        {sweep === null ? (
          judge
        ) : (
          <AnchorLink to="/sweeps/$id" params={{ id: sweep }} search={{ assessment }}>
            {judge}
          </AnchorLink>
        )}
      </h3>
      {agreement === null ? (
        <Text size="sm">{t("No answer has both a grade and a judged value.")}</Text>
      ) : (
        <>
          <AgreementFacts agreement={agreement} ceiling={ceiling} />
          {agreement.categories && <Confusion categories={agreement.categories} />}
        </>
      )}
      {children}
    </Stack>
  );
}
