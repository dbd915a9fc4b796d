import { Group, NativeSelect, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { judgingQueries } from "@/api/judging";
import { sweepQueries } from "@/api/sweeps";
import type { Assessment, SweepDetail } from "@/api/types";
import { bindText } from "@/components/fields";
import { ButtonLink } from "@/components/links";
import { QueryState } from "@/components/QueryState";
import { t } from "@/words";
import { VerdictCard } from "./VerdictCard";

/** Columns of criteria are named after what they contain, so that no list of metrics has them. */
const isCriteria = (name: string) => name.startsWith("Criteria ");

/** What the sweep concludes where a column of this judge is the primary metric. */
export function JudgedVerdict({ sweep, assessment }: { sweep: SweepDetail; assessment: Assessment }) {
  const { judge } = assessment.spec;
  const deciding = useQuery(judgingQueries.deciding());
  const names = new Set(deciding.data?.items.map(({ name }) => name));
  const columns = assessment.spec.columns.filter((name) => names.has(name) || isCriteria(name));
  const [chosenColumn, choose] = useState<string | null>(null);
  const primary = chosenColumn ?? columns[0] ?? "";
  const chosen = { assessment: assessment.id, primary };
  const query = useQuery({ ...sweepQueries.analysis(sweep.id, chosen), enabled: primary !== "" });
  // Columns that explain answers, such as failure labels, decide nothing.
  if (deciding.data && columns.length === 0) return null;
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <NativeSelect label={t("Metric of the verdict")} data={columns} {...bindText(primary, choose)} />
        <ButtonLink
          variant="default"
          to="/analysis/sweeps/$id"
          params={{ id: sweep.id }}
          search={{ ...chosen, table: "configurations" }}
        >
          {t("Show tables and report")}
        </ButtonLink>
      </Group>
      <QueryState query={query} height={160} />
      {query.data && (
        <VerdictCard
          sweep={sweep}
          analysis={query.data}
          title={t("Verdict by {judge}", { judge: judge.model.name })}
        />
      )}
    </Stack>
  );
}
