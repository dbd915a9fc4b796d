import { Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { importQueries, useDeleteImport, usePublishImport } from "@/api/imports";
import { inProject } from "@/api/project";
import type { ImportDetail } from "@/api/types";
import { DeleteByName } from "@/components/DeleteByName";
import { forRole } from "@/components/ForRole";
import { bindChoice } from "@/components/fields";
import { SmallLink } from "@/components/links";
import { PageState } from "@/components/NoPage";
import { showDone } from "@/components/notices";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { PublishStudy } from "@/components/results/PublishStudy";
import { sourcesOfSheets } from "@/components/results/sourcesOf";
import { useAddress } from "@/components/useAddress";
import { language, t } from "@/words";
import { AuditPanel } from "./AuditPanel";
import { ConclusionsPanel } from "./ConclusionsPanel";
import { basisOf, ConstantsPanel } from "./ConstantsPanel";
import { pinned, pinnedAddress } from "./constants";
import { Outcome } from "./Outcome";

const PROCEDURE_HINT = {
  corrected: t("Averages repeated rows and pairs rows by question; p values are adjusted."),
  published: t("Pairs rows by position and uses the labels printed in the sheets. For replication only."),
  "published-phase2": t("16 metrics, one pool per sheet, first 100 rows, no baseline. For replication only."),
};
const NAMES = {
  corrected: t("Corrected: labels mapped, rows paired by question"),
  published: t("Published: as computed in the thesis"),
  "published-phase2": t("Published, Phase II"),
};

const route = getRouteApi("/analysis/imports/$id");
const PROCEDURES = ["corrected", "published", "published-phase2"] as const;

/** Imported sheets: what their defects change, the audit, then a procedure and what it gives. */
export function ImportPage(): ReactNode {
  const { id } = route.useParams();
  const query = useQuery(importQueries.detail(id));
  if (!query.data) return <PageState query={query} height={240} />;
  const found = query.data;
  return (
    <>
      <PageHead
        title={found.name}
        trail={<SmallLink to="/analysis">{t("Analysis")}</SmallLink>}
        lead={found.models.join(", ")}
        actions={<Delete found={found} />}
      />
      <Stack gap="lg">
        <ConclusionsPanel id={found.id} />
        <AuditPanel found={found} />
        <Analysed found={found} />
        <Publish found={found} />
      </Stack>
    </>
  );
}

function Analysed({ found }: { found: ImportDetail }) {
  const { id } = found;
  const sources = useMemo(() => sourcesOfSheets(id, found.audit.sheets), [id, found.audit.sheets]);
  const { procedure = usualOf(found), table, constants } = route.useSearch();
  const put = useAddress();
  const chosen = { procedure, ...pinned(constants) };
  const analysis = useQuery(importQueries.analysis(id, chosen));
  const later = { enabled: analysis.isSuccess && !analysis.isPlaceholderData };
  const figures = useQuery({ ...importQueries.figures(id, chosen), ...later });
  const tables = useQuery({ ...importQueries.tables(id, chosen), ...later });
  const imports = useQuery(importQueries.list());
  const base = inProject(`/api/v1/imports/${encodeURIComponent(id)}`);
  const asked = `procedure=${procedure}${pinnedAddress(constants, "&")}`;
  return (
    <>
      <Panel title={t("Procedure")}>
        <Select
          w="min(100%, 30rem)"
          aria-label={t("Procedure")}
          description={PROCEDURE_HINT[procedure]}
          data={PROCEDURES.map((value) => ({
            value,
            label: NAMES[value],
            disabled: !found.procedures.includes(value),
          }))}
          {...bindChoice(procedure, (procedure) => put({ procedure }, false))}
        />
      </Panel>
      <ConstantsPanel
        given={constants}
        onGive={(given) => put({ constants: given }, false)}
        others={(imports.data?.items ?? []).filter((other) => other.id !== id)}
        analysis={analysis.data}
        file={{ address: `${base}/analysis?${asked}`, name: `${id}-${procedure}-analysis.json` }}
      />
      <QueryState query={analysis} height={80} />
      {analysis.data && (
        <Outcome
          figures={figures}
          tables={tables}
          basis={basisOf(analysis.data)}
          report={`${base}/report?${asked}&language=${language}`}
          fileOf={(name, format) =>
            `${base}/export?${asked}&table=${encodeURIComponent(name)}&format=${format}`
          }
          shown={table}
          sources={sources}
          onShow={(name) => put({ table: name })}
        />
      )}
    </>
  );
}

/** Sheets of the pilot have 16 metrics, which fit their own procedure alone. */
function usualOf({ procedures }: ImportDetail): (typeof PROCEDURES)[number] {
  return PROCEDURES.find((each) => procedures.includes(each)) ?? "corrected";
}

const Publish = forRole("researcher", function Publish({ found }: { found: ImportDetail }) {
  const publish = usePublishImport();
  const path = { import_id: found.id };
  return (
    <Panel title={t("Publication")}>
      {found.unpublishable ? (
        <Text maw="48rem">{t("These sheets cannot be published. {why}", { why: found.unpublishable })}</Text>
      ) : (
        <PublishStudy
          id={found.id}
          name={found.name}
          label={t("Publish these sheets")}
          text={t(
            "A study is one file with all rows of the sheets, their audit, the table and the verdict of the procedure “Corrected”, and how to cite it. Anyone can compute the table again from the rows. Publishing enters its digest in the ledger. It does not prove how the answers were made.",
          )}
          publish={publish}
          onPublish={(body, stamp) => publish.mutate({ params: { path, query: { stamp } }, body })}
        />
      )}
    </Panel>
  );
});

const Delete = forRole("researcher", function Delete({ found }: { found: ImportDetail }) {
  const navigate = useNavigate();
  const remove = useDeleteImport(async () => {
    showDone(t("Deleted {name}", { name: found.name }));
    await navigate({ to: "/analysis" });
  });
  const params = { path: { import_id: found.id }, query: { confirm: found.name } };
  return (
    <DeleteByName
      name={found.name}
      text={t(
        "Deletes {sheets, plural, one {# imported sheet} other {# imported sheets}} and the audit. Your files are not changed. Studies of these sheets stay in the ledger, but can no longer be saved here.",
        { sheets: found.sheets },
      )}
      request={remove}
      onDelete={() => remove.mutate({ params })}
    />
  );
});
