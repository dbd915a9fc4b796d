import { Group, NativeSelect, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sweepQueries } from "@/api/sweeps";
import type { Assessment, SweepDetail } from "@/api/types";
import { ButtonLink } from "@/components/links";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { VerdictCard } from "./VerdictCard";

/** What the sweep concludes where a column of this judge is the primary metric. */
export function JudgedVerdict({ sweep, assessment }: { sweep: SweepDetail; assessment: Assessment }) {
  const { columns, judge } = assessment.spec;
  const [primary, setPrimary] = useState(columns[0] ?? "");
  const chosen = { assessment: assessment.id, primary };
  const query = useQuery(sweepQueries.analysis(sweep.id, chosen));
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label={t("Metric of the verdict")}
          data={columns}
          value={primary}
          onChange={({ currentTarget: { value } }) => setPrimary(value)}
        />
        <ButtonLink
          variant="default"
          to="/analysis/sweeps/$id"
          params={{ id: sweep.id }}
          search={{ ...chosen, table: "configurations" }}
        >
          {t("Show tables and report")}
        </ButtonLink>
      </Group>
      {query.isPending && <Waiting height={160} />}
      {query.isError && <ProblemNotice error={query.error} onRetry={() => query.refetch()} />}
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
