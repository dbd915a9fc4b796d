import { api } from "@/api/client";
import { Digest } from "@/components/Digest";
import { AnchorLink } from "@/components/links";
import { Moment } from "@/components/Moment";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";

const label = words.datasets;

/** All versions of a dataset, newest first; nothing is shown while there is only one. */
export function Versions({ name, shown }: { name: string; shown: string }) {
  const query = api.useQuery("get", "/api/v1/datasets/{name}/versions", { params: { path: { name } } });
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  const items = query.data?.items ?? [];
  if (items.length < 2) return null;
  return (
    <Panel title={label.versions}>
      <Sheet label={label.versions}>
        <thead>
          <tr>
            <th scope="col">{label.version}</th>
            <th scope="col">{label.taken}</th>
            <th scope="col" className={cell.number}>
              {label.questions}
            </th>
            <th scope="col" className={cell.number}>
              {label.withGold}
            </th>
            <th scope="col" className={cell.number}>
              {label.askedBy}
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((version, place) => (
            <tr key={version.digest} data-mark={version.digest === shown || undefined}>
              <th scope="row">
                <AnchorLink
                  to="/datasets/$name"
                  params={{ name }}
                  search={place === 0 ? {} : { digest: version.digest }}
                  size="sm"
                  aria-current={version.digest === shown ? "true" : undefined}
                >
                  <Digest value={version.digest} />
                </AnchorLink>{" "}
                {place === 0 && label.isNewest}
              </th>
              <td>
                <Moment at={version.created_at} />
              </td>
              <td className={cell.number}>{formatCount(version.questions)}</td>
              <td className={cell.number}>{formatCount(version.with_gold)}</td>
              <td className={cell.number}>{formatCount(version.sweeps)}</td>
            </tr>
          ))}
        </tbody>
      </Sheet>
    </Panel>
  );
}
