import { Group, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { judgingQueries } from "@/api/judging";
import { systemQueries } from "@/api/system";
import type { ColumnPair } from "@/api/types";
import { Facts, type PossibleFact } from "@/components/Facts";
import { bindChoice } from "@/components/fields";
import { estimatedInterval } from "@/components/judging/estimatedInterval";
import { formatCount, formatP, formatScore } from "@/components/numbers/format";
import { QueryState } from "@/components/QueryState";
import { Subsection } from "@/components/Subsection";
import { t } from "@/words";

interface Props {
  id: string;
  /** Metrics of the assessment. */
  judged: string[];
}

/** A judged metric against another one of the same answers, judged or computed. */
export function TwoColumns({ id, judged }: Props) {
  const [column, setColumn] = useState(judged[0] ?? "");
  const [other, setOther] = useState<string | null>(null);
  const computed = useQuery(systemQueries.metrics("standard"));
  const query = useQuery({ ...judgingQueries.columns(id, column, other ?? ""), enabled: other !== null });
  return (
    <Subsection title={t("Two metrics against each other")}>
      <Group gap="md" align="end">
        <Select label={t("Judged metric")} data={judged} {...bindChoice(column, setColumn)} />
        <Select
          label={t("Other metric")}
          placeholder={t("Choose a metric")}
          data={[
            ...judged.filter((name) => name !== column),
            ...(computed.data?.items ?? []).map(({ name }) => name),
          ]}
          value={other}
          onChange={setOther}
          searchable
        />
      </Group>
      <QueryState query={query} />
      {query.data && <Facts facts={factsOf(query.data, column, other ?? "")} />}
    </Subsection>
  );
}

/** The mean of a metric with its spread; a judged one is marked if nobody has rated it. */
function meanOf({ mean, sd, rated }: NonNullable<ColumnPair["first"]>): string {
  const said =
    sd === null
      ? formatScore(mean)
      : t("{mean}, standard deviation {sd}", { mean: formatScore(mean), sd: formatScore(sd) });
  return rated === 0 ? `${said}, ${t("uncalibrated")}` : said;
}

function factsOf(
  { n, first, second, rho, rho_interval, p, high, low }: ColumnPair,
  column: string,
  other: string,
): PossibleFact[] {
  const otherWhere = (title: string, { mean, n }: ColumnPair["high"]): PossibleFact => [
    title,
    mean === null
      ? t("no answers")
      : t("{mean} ({n, plural, one {# answer} other {# answers}})", { mean: formatScore(mean), n }),
  ];
  return [
    [t("Answers with both values"), formatCount(n)],
    ...[first, second].map(
      (each): PossibleFact => each && [t("Mean of {column}", { column: each.column }), meanOf(each)],
    ),
    [
      t("Rank correlation (Spearman)"),
      rho === null
        ? t("One of the metrics has the same value everywhere.")
        : t("{rho}, 95 % interval {interval}, p {p}", {
            rho: formatScore(rho),
            interval: estimatedInterval(rho_interval),
            p: p === null ? "–" : formatP(p),
          }),
    ],
    otherWhere(t("{other} where {column} is above 0.6", { other, column }), high),
    otherWhere(t("{other} where {column} is below 0.4", { other, column }), low),
  ];
}
