import { NativeSelect, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { judgingQueries } from "@/api/judging";
import type { ComparedColumn, JudgeComparison, ListedAssessment } from "@/api/types";
import { Facts, type PossibleFact } from "@/components/Facts";
import { bindText } from "@/components/fields";
import { Confusion } from "@/components/judging/Confusion";
import { estimatedInterval } from "@/components/judging/estimatedInterval";
import { formatDifference, formatInterval, formatScore } from "@/components/numbers/format";
import { QueryState } from "@/components/QueryState";
import { Subsection } from "@/components/Subsection";
import {
  type Column,
  countColumn,
  DataTable,
  differenceColumn,
  plainColumn,
  textColumn,
} from "@/components/table";
import { t } from "@/words";

interface Props {
  id: string;
  /** The other assessments of the sweep. */
  others: ListedAssessment[];
  names: ReadonlyMap<string, string>;
}

/** This judge beside another one of the same sweep. */
export function OtherJudge({ id, others, names }: Props) {
  const [other, setOther] = useState("");
  const query = useQuery({ ...judgingQueries.comparison(id, other), enabled: other !== "" });
  return (
    <Subsection title={t("Comparison with another judge")}>
      <NativeSelect
        label={t("Other judge")}
        w="fit-content"
        {...bindText(other, setOther)}
        data={[
          { value: "", label: t("Choose a judge") },
          ...others.map(({ assessment }) => ({
            value: assessment.id,
            label: assessment.spec.judge.model.name,
          })),
        ]}
      />
      <QueryState query={query} />
      {query.data?.columns.map((column) => (
        <Compared key={column.column} column={column} found={query.data} names={names} />
      ))}
    </Subsection>
  );
}

interface ComparedProps {
  column: ComparedColumn;
  found: JudgeComparison;
  names: ReadonlyMap<string, string>;
}

function Compared({ column, found, names }: ComparedProps) {
  const { first, second } = found;
  const title = t("{column}: {first} and {second}", {
    column: column.column,
    first: first.judge,
    second: second.judge,
  });
  return (
    <Stack gap="sm">
      <h4>{title}</h4>
      <Facts facts={factsOf(column)} />
      {column.categories && (
        <Confusion categories={column.categories} rows={first.judge} columns={second.judge} />
      )}
      <DataTable
        name="judges"
        label={title}
        columns={columnsOf(found, names)}
        rows={column.runs}
        keyOf={({ run_id }) => run_id}
        isShort
      />
    </Stack>
  );
}

function factsOf({
  n,
  only_first,
  only_second,
  first_mean,
  second_mean,
  limits,
  rho,
  rho_interval,
  categories,
  people,
}: ComparedColumn): PossibleFact[] {
  return [
    [
      t("Answers judged by both"),
      t("{n, number} ({first, number} only by the first, {second, number} only by the second)", {
        n,
        first: only_first,
        second: only_second,
      }),
    ],
    first_mean !== null &&
      second_mean !== null && [t("Means"), `${formatScore(first_mean)}, ${formatScore(second_mean)}`],
    limits && [
      t("Bias (second minus first)"),
      limits.low === null || limits.high === null
        ? formatDifference(limits.bias)
        : t("{bias}, limits of agreement {limits}", {
            bias: formatDifference(limits.bias),
            limits: formatInterval({ low: limits.low, high: limits.high }) ?? "",
          }),
    ],
    rho !== null && [
      t("Rank correlation (Spearman)"),
      t("{rho}, 95 % interval {interval}", {
        rho: formatScore(rho),
        interval: estimatedInterval(rho_interval),
      }),
    ],
    categories?.kappa != null && [t("Cohen’s κ"), formatScore(categories.kappa)],
    [
      t("Mean absolute error against people"),
      people
        ? t(
            "{first} and {second} on {n, plural, one {# answer} other {# answers}}; 95 % interval of the difference {interval}",
            {
              first: formatScore(people.first_error),
              second: formatScore(people.second_error),
              n: people.n,
              interval: estimatedInterval(people.difference),
            },
          )
        : t("uncalibrated"),
    ],
  ];
}

function columnsOf(
  { first, second }: JudgeComparison,
  names: ReadonlyMap<string, string>,
): Column<ComparedColumn["runs"][number]>[] {
  return [
    textColumn("name", t("Configuration"), ({ run_id }) => names.get(run_id) ?? run_id),
    countColumn("n", t("Answers"), ({ difference }) => difference.n_pairs),
    differenceColumn(
      "difference",
      t("{second} minus {first}", { first: first.judge, second: second.judge }),
      ({ difference }) => difference.mean_difference,
    ),
    plainColumn("interval", t("95 % interval"), ({ difference }) => formatInterval(difference.ci)),
  ];
}
