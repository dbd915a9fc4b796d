import { Select, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { api } from "@/api/client";
import type { ImportDetail } from "@/api/types";
import { DeleteByName } from "@/components/DeleteByName";
import { AnchorLink } from "@/components/links";
import { NoPage } from "@/components/NoPage";
import { showDone } from "@/components/notices";
import { formatCount } from "@/components/numbers/format";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { behindSheets } from "@/components/results/behindOf";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { AuditPanel } from "./AuditPanel";
import { basisOf, ConstantsPanel } from "./ConstantsPanel";
import { pinned, pinnedAddress } from "./constants";
import { Outcome } from "./Outcome";

const route = getRouteApi("/analysis/imports/$id");
const label = words.analysis;
const PROCEDURES = ["corrected", "published", "published-phase2"] as const;
const STALE_MS = 600_000;

/** Imported sheets: the audit first, then a procedure, then what it gives. */
export function ImportPage(): ReactNode {
  const { id } = route.useParams();
  const query = api.useQuery("get", "/api/v1/imports/{import_id}", { params: { path: { import_id: id } } });
  if (query.isPending) return <Waiting height={240} />;
  if (!query.data) return <NoPage error={query.error} onRetry={() => query.refetch()} />;
  const found = query.data;
  return (
    <>
      <PageHead
        title={found.name}
        trail={
          <AnchorLink to="/analysis" size="sm">
            {label.title}
          </AnchorLink>
        }
        lead={found.models.join(", ")}
        actions={<Delete found={found} />}
      />
      <Stack gap="lg">
        <AuditPanel found={found} />
        <Analysed found={found} />
      </Stack>
    </>
  );
}

function Analysed({ found }: { found: ImportDetail }) {
  const { id } = found;
  const behind = useMemo(() => behindSheets(id, found.audit.sheets), [id, found.audit.sheets]);
  const { procedure = "corrected", table, constants } = route.useSearch();
  const navigate = useNavigate({ from: "/analysis/imports/$id" });
  const params = { params: { path: { import_id: id }, query: { procedure, ...pinned(constants) } } };
  const analysis = api.useQuery("get", "/api/v1/imports/{import_id}/analysis", params, {
    staleTime: STALE_MS,
  });
  const later = { staleTime: STALE_MS, enabled: analysis.isSuccess };
  const figures = api.useQuery("get", "/api/v1/imports/{import_id}/figures", params, later);
  const tables = api.useQuery("get", "/api/v1/imports/{import_id}/tables", params, later);
  const imports = api.useQuery("get", "/api/v1/imports");
  const base = `/api/v1/imports/${encodeURIComponent(id)}`;
  const asked = `procedure=${procedure}${pinnedAddress(constants, "&")}`;
  return (
    <>
      <Panel title={label.procedure}>
        <Select
          w="min(100%, 30rem)"
          aria-label={label.procedure}
          description={label.procedureHint[procedure]}
          data={PROCEDURES.map((value) => ({ value, label: label.procedures[value] }))}
          allowDeselect={false}
          value={procedure}
          onChange={(value) =>
            navigate({ search: (search) => ({ ...search, procedure: value as never }), resetScroll: false })
          }
        />
      </Panel>
      <ConstantsPanel
        given={constants}
        onGive={(given) =>
          navigate({ search: (search) => ({ ...search, constants: given }), resetScroll: false })
        }
        others={(imports.data?.items ?? []).filter((other) => other.id !== id)}
        analysis={analysis.data}
        file={{ address: `${base}/analysis?${asked}`, name: `${id}-${procedure}-analysis.json` }}
      />
      {analysis.isPending && <Waiting height={80} />}
      {analysis.isError && <ProblemNotice error={analysis.error} onRetry={() => analysis.refetch()} />}
      {analysis.data && (
        <Outcome
          figures={figures}
          tables={tables}
          basis={basisOf(analysis.data)}
          report={`${base}/report?${asked}`}
          fileOf={(name, format) =>
            `${base}/export?${asked}&table=${encodeURIComponent(name)}&format=${format}`
          }
          shown={table}
          behind={behind}
          onShow={(name) =>
            navigate({
              search: (search) => ({ ...search, table: name }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      )}
    </>
  );
}

function Delete({ found }: { found: ImportDetail }) {
  const remove = api.useMutation("delete", "/api/v1/imports/{import_id}", { meta: { shown: true } });
  const cache = useQueryClient();
  const navigate = useNavigate();
  const act = async () => {
    const params = { path: { import_id: found.id }, query: { confirm: found.name } };
    const gone = await remove.mutateAsync({ params }).then(
      () => true,
      () => false,
    );
    if (!gone) return;
    await navigate({ to: "/analysis" });
    cache.removeQueries({ queryKey: ["get", "/api/v1/imports/{import_id}"] });
    await cache.invalidateQueries({ queryKey: ["get", "/api/v1/imports"] });
    showDone(words.shell.deleted(found.name));
  };
  return (
    <DeleteByName
      name={found.name}
      text={label.deleteText(formatCount(found.sheets))}
      busy={remove.isPending}
      error={remove.error}
      onDelete={act}
    />
  );
}
