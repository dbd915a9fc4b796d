import { useNavigate } from "@tanstack/react-router";
import type { CollectionDetail } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { formatCount } from "@/components/numbers/format";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";

const label = words.collections;

/** All collections, by name; a row opens its collection. */
export function CollectionTable({ items }: { items: CollectionDetail[] }) {
  return (
    <Sheet label={label.title}>
      <thead>
        <tr>
          <th scope="col">{label.name}</th>
          <th scope="col" className={cell.number}>
            {label.documents}
          </th>
          <th scope="col" className={cell.number}>
            {label.passages}
          </th>
          <th scope="col">{label.embedding}</th>
          <th scope="col" className={cell.number}>
            {label.size}
          </th>
          <th scope="col" className={cell.number}>
            {label.overlap}
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <CollectionRow key={item.collection.name} item={item} />
        ))}
      </tbody>
    </Sheet>
  );
}

function CollectionRow({ item: { collection, documents, passages } }: { item: CollectionDetail }) {
  const navigate = useNavigate();
  const { chunking, embedding, name } = collection;
  const open = { to: "/collections/$name", params: { name } } as const;
  const unit = words.materials.units[chunking.unit];
  return (
    <tr className={cell.row} onClick={() => navigate(open)}>
      <th scope="row" className={cell.text}>
        <AnchorLink {...open} fw={550} onClick={(event) => event.stopPropagation()}>
          {name}
        </AnchorLink>
      </th>
      <td className={cell.number}>{formatCount(documents.length)}</td>
      <td className={cell.number}>{formatCount(passages)}</td>
      <td>{embedding.name}</td>
      <td className={cell.number}>{label.chunk(formatCount(chunking.chunk_size), unit)}</td>
      <td className={cell.number}>{label.chunk(formatCount(chunking.chunk_overlap), unit)}</td>
    </tr>
  );
}
