import type { DatasetSummary } from "@/api/types";
import { Digest } from "@/components/Digest";
import { AnchorLink } from "@/components/links";
import { counted, named } from "@/components/material/columns";
import type { Column } from "@/components/table/columns";
import { words } from "@/words";

const label = words.datasets;

export const nameOf = ({ name }: DatasetSummary) => name;

/** What the list of datasets shows. */
export const COLUMNS: Column<DatasetSummary>[] = [
  named("name", label.name, nameOf, ({ name }) => (
    <AnchorLink to="/datasets/$name" params={{ name }} size="sm" fw={550}>
      {name}
    </AnchorLink>
  )),
  named("language", label.language, ({ language }) => language),
  counted("questions", label.questions, ({ questions }) => questions),
  counted("with_gold", label.withGold, ({ with_gold }) => with_gold),
  counted("versions", label.versions, ({ versions }) => versions),
  {
    id: "newest",
    label: label.newest,
    cell: ({ digest }) => <Digest value={digest} />,
    text: ({ digest }) => digest,
  },
];
