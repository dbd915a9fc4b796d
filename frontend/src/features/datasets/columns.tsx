import type { DatasetSummary } from "@/api/types";
import { type Column, countColumn, digestColumn, plainColumn } from "@/components/table";
import { t } from "@/words";

export const nameOf = ({ name }: DatasetSummary) => name;

/** What the list of datasets shows. */
export const COLUMNS: Column<DatasetSummary>[] = [
  plainColumn("name", t("Name"), nameOf),
  plainColumn("language", t("Language"), ({ language }) => language),
  countColumn("questions", t("Questions"), ({ questions }) => questions),
  countColumn("with_gold", t("With gold passages"), ({ with_gold }) => with_gold),
  countColumn("versions", t("Versions"), ({ versions }) => versions),
  digestColumn("newest", t("Newest version"), ({ digest }) => digest),
];
