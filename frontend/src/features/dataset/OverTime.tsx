import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { judgingQueries } from "@/api/judging";
import { bindChoice } from "@/components/fields";
import { ProblemNotice } from "@/components/ProblemNotice";
import { FigureView } from "@/figures/FigureView";
import { t } from "@/words";

const FIRST = "F1 Score";

/** Means of one column over the sweeps of a dataset, a line for each configuration; nothing before the first sweep. */
export function OverTime({ name }: { name: string }) {
  const [column, choose] = useState(FIRST);
  const query = useQuery(judgingQueries.history(name, column));
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  if (!query.data || (query.data.figure.series.length === 0 && column === FIRST)) return null;
  const { columns, figure } = query.data;
  return (
    <>
      <Select
        label={t("Metric over time")}
        data={columns.map((each) => ({
          value: each,
          label: each === "thumb" ? t("Good answers by feedback") : each,
        }))}
        {...bindChoice(column, choose)}
        searchable
        w={{ base: "100%", sm: 420 }}
      />
      <FigureView key={figure.id} figure={figure} />
    </>
  );
}
