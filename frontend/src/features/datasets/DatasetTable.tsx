import { useNavigate } from "@tanstack/react-router";
import type { DatasetSummary } from "@/api/types";
import { Digest } from "@/components/Digest";
import { AnchorLink } from "@/components/links";
import { formatCount } from "@/components/numbers/format";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";

const label = words.datasets;

/** All datasets, by name; a row opens its dataset. */
export function DatasetTable({ items }: { items: DatasetSummary[] }) {
  return (
    <Sheet label={label.title}>
      <thead>
        <tr>
          <th scope="col">{label.name}</th>
          <th scope="col">{label.language}</th>
          <th scope="col" className={cell.number}>
            {label.questions}
          </th>
          <th scope="col" className={cell.number}>
            {label.withGold}
          </th>
          <th scope="col" className={cell.number}>
            {label.versions}
          </th>
          <th scope="col">{label.newest}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <DatasetRow key={item.name} item={item} />
        ))}
      </tbody>
    </Sheet>
  );
}

function DatasetRow({ item }: { item: DatasetSummary }) {
  const navigate = useNavigate();
  const open = { to: "/datasets/$name", params: { name: item.name } } as const;
  return (
    <tr className={cell.row} onClick={() => navigate(open)}>
      <th scope="row" className={cell.text}>
        <AnchorLink {...open} fw={550} onClick={(event) => event.stopPropagation()}>
          {item.name}
        </AnchorLink>
      </th>
      <td>{item.language}</td>
      <td className={cell.number}>{formatCount(item.questions)}</td>
      <td className={cell.number}>{formatCount(item.with_gold)}</td>
      <td className={cell.number}>{formatCount(item.versions)}</td>
      <td>
        <Digest value={item.digest} />
      </td>
    </tr>
  );
}
