import { Select, Stack } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import type { ImportDetail, SheetQuestion } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { NoPage } from "@/components/NoPage";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { DataTable } from "@/components/table/DataTable";
import { useTable } from "@/components/table/useTable";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { columnsOf, FILTERS, PAGE, rowQuery, thresholdName, withSorted } from "./sheetColumns";

const route = getRouteApi("/analysis/imports/$id/questions");
const label = words.analysis;

/** The rows of one imported sheet; which sheet, their order and what is sought stand in the address. */
export function SheetQuestionsPage(): ReactNode {
  const { id } = route.useParams();
  const query = api.useQuery("get", "/api/v1/imports/{import_id}", { params: { path: { import_id: id } } });
  if (query.isPending) return <Waiting height={240} />;
  if (!query.data) return <NoPage error={query.error} onRetry={() => query.refetch()} />;
  return <Questions found={query.data} />;
}

function Questions({ found }: { found: ImportDetail }) {
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/analysis/imports/$id/questions" });
  const sheets = found.audit.sheets;
  const sheet = search.sheet ?? sheets[0]?.path ?? "";
  const columns = columnsOf(found.id, { ...search, sheet });
  const table = useTable<SheetQuestion>("sheet-questions", columns);
  const query = api.useQuery(
    "get",
    "/api/v1/imports/{import_id}/questions",
    {
      params: {
        path: { import_id: found.id },
        query: { ...rowQuery({ ...search, sheet }), after: table.page * PAGE - 1, limit: PAGE },
      },
    },
    { placeholderData: keepPreviousData },
  );
  const put = (change: { sheet?: string; only?: "repeated" | "incomplete" | undefined }) =>
    navigate({ search: (before) => ({ ...before, page: undefined, ...change }), resetScroll: false });
  const shown = query.data?.sheet;
  const chooser = (
    <Select
      size="xs"
      w="min(100%, 18rem)"
      label={label.sheet}
      data={sheets.map(({ path, model, threshold }) => ({
        value: path,
        label: `${model}, ${thresholdName(threshold)}`,
      }))}
      allowDeselect={false}
      searchable
      value={sheet}
      onChange={(value) => value && put({ sheet: value })}
    />
  );
  return (
    <>
      <PageHead
        title={label.sheetQuestions}
        trail={
          <AnchorLink to="/analysis/imports/$id" params={{ id: found.id }} size="sm">
            {found.name}
          </AnchorLink>
        }
        lead={
          shown &&
          label.sheetLead({
            model: shown.model,
            threshold: thresholdName(shown.threshold),
            rows: formatCount(shown.rows),
          })
        }
      />
      <Stack gap="sm">
        {shown?.labels === "shifted" && <Note>{label.sheetShifted}</Note>}
        {shown?.labels === "unclear" && <Note tone="warn">{label.sheetUnclear}</Note>}
        {query.isPending && <Waiting height={320} />}
        {query.isError && chooser}
        {query.isError && <ProblemNotice error={query.error} onRetry={() => query.refetch()} />}
        {query.data && (
          <DataTable
            label={label.sheetQuestions}
            columns={columns}
            rows={query.data.items}
            table={{ ...table, columns: withSorted(table.columns, columns, table.sort) }}
            keyOf={({ number }) => String(number)}
            onOpen={({ number }) =>
              navigate({
                to: "/analysis/imports/$id/questions/$number",
                params: { id: found.id, number: String(number + 1) },
                search: { ...search, sheet },
              })
            }
            paged={{ total: query.data.total, limit: PAGE }}
            filters={
              <>
                {chooser}
                <Select
                  size="xs"
                  w="min(100%, 18rem)"
                  label={label.only}
                  placeholder={label.onlyAll}
                  clearable
                  clearButtonProps={{ "aria-label": label.onlyAll }}
                  data={FILTERS.map((value) => ({ value, label: label.onlyOf[value] }))}
                  value={search.only ?? null}
                  onChange={(value) => put({ only: FILTERS.find((known) => known === value) })}
                />
              </>
            }
          />
        )}
      </Stack>
    </>
  );
}
