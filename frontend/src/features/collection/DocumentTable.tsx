import type { CollectionDetail } from "@/api/types";
import { Digest } from "@/components/Digest";
import { formatCount } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";

const label = words.collections;

/** What was taken into the collection. */
export function DocumentTable({ documents }: { documents: CollectionDetail["documents"] }) {
  return (
    <Panel title={label.documents}>
      <Sheet label={label.documents} bounded>
        <thead>
          <tr>
            <th scope="col">{label.document}</th>
            <th scope="col" className={cell.number}>
              {label.passages}
            </th>
            <th scope="col" className={cell.number}>
              {label.pages}
            </th>
            <th scope="col">{label.digest}</th>
          </tr>
        </thead>
        <tbody>
          {documents.map((document) => (
            <tr key={`${document.digest} ${document.name}`}>
              <th scope="row" className={cell.text}>
                {document.name}
              </th>
              <td className={cell.number}>{formatCount(document.passages)}</td>
              <td className={cell.number}>
                <Num value={document.pages} reason={label.noPages} format={formatCount} />
              </td>
              <td>
                <Digest value={document.digest} />
              </td>
            </tr>
          ))}
        </tbody>
      </Sheet>
    </Panel>
  );
}
