import { Select, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { importQueries } from "@/api/imports";
import type { ImportDetail } from "@/api/types";
import { bindChoice } from "@/components/fields";
import { SmallLink } from "@/components/links";
import { PageState } from "@/components/NoPage";
import { Note } from "@/components/Note";
import { PageHead } from "@/components/PageHead";
import { QueryState } from "@/components/QueryState";
import { DataTable } from "@/components/table";
import { useView } from "@/components/table/useView";
import { useAddress } from "@/components/useAddress";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { COLUMNS, FILTERS, levelName, PAGE, rowQuery } from "./sheetColumns";

const ONLY_OF = {
  repeated: t("Repeated questions"),
  incomplete: t("Rows with a missing score"),
};

const route = getRouteApi("/analysis/imports/$id/questions");

/** The rows of one imported sheet; which sheet, their order and what is sought stand in the address. */
export function SheetQuestionsPage(): ReactNode {
  const { id } = route.useParams();
  const query = useQuery(importQueries.detail(id));
  if (!query.data) return <PageState query={query} height={240} />;
  return <Questions found={query.data} />;
}

function Questions({ found }: { found: ImportDetail }) {
  const search = route.useSearch();
  const address = useAddress();
  const sheets = found.audit.sheets;
  const sheet = search.sheet ?? sheets[0]?.path ?? "";
  const view = useView("");
  const query = useQuery(
    importQueries.rows(found.id, {
      ...rowQuery({ ...search, sheet }),
      after: view.page * PAGE - 1,
      limit: PAGE,
    }),
  );
  const put: typeof address = (change) => address({ page: undefined, ...change }, false);
  const shown = query.data?.sheet;
  const chooser = (
    <Select
      size="xs"
      w="min(100%, 18rem)"
      label={t("Sheet")}
      data={sheets.map((sheet) => ({ value: sheet.path, label: `${sheet.model}, ${levelName(sheet)}` }))}
      searchable
      {...bindChoice(sheet, (sheet) => put({ sheet }))}
    />
  );
  return (
    <>
      <PageHead
        title={t("Sheet questions")}
        trail={
          <SmallLink to="/analysis/imports/$id" params={{ id: found.id }}>
            {found.name}
          </SmallLink>
        }
        lead={
          shown &&
          t(
            "{model}, {threshold}: {rows, plural, one {# row} other {# rows}} with the scores printed in the sheet.",
            { model: shown.model, threshold: levelName(shown), rows: shown.rows },
          )
        }
      />
      <Stack gap="sm">
        {shown?.labels === "shifted" && (
          <Note>
            {t(
              "Ten labels of this sheet are shifted. The scores below are shown under their correct names; the question page shows the label in the sheet.",
            )}
          </Note>
        )}
        {shown?.labels === "unclear" && (
          <Note tone="warn">
            {t(
              "PaSSER cannot tell whether the labels of this sheet are shifted. The scores are shown under the labels printed in the sheet.",
            )}
          </Note>
        )}
        {query.isPending && <Waiting height={320} />}
        {query.isError && chooser}
        <QueryState query={query} />
        {query.data && (
          <DataTable
            name="sheet-questions"
            at=""
            label={t("Sheet questions")}
            columns={COLUMNS}
            rows={query.data.items}
            keyOf={({ number }) => String(number)}
            open={({ number }) => ({
              to: "/analysis/imports/$id/questions/$number",
              params: { id: found.id, number: String(number + 1) },
              search: { ...search, sheet },
            })}
            paged={{ total: query.data.total, limit: PAGE }}
            filters={
              <>
                {chooser}
                <Select
                  size="xs"
                  w="min(100%, 18rem)"
                  label={t("Rows shown")}
                  placeholder={t("All")}
                  clearable
                  clearButtonProps={{ "aria-label": t("All") }}
                  data={FILTERS.map((value) => ({ value, label: ONLY_OF[value] }))}
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
