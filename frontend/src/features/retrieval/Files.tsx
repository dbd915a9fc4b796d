import { FileInput, SimpleGrid } from "@mantine/core";
import type { RankingFile } from "@/api/types";
import { Panel } from "@/components/Panel";
import { t } from "@/words";

export interface ForeignFiles {
  /** Rankings of other systems. */
  runs: RankingFile[];
  /** What replaces the gold passages of the dataset. */
  qrels: RankingFile | null;
}

export const NO_FILES: ForeignFiles = { runs: [], qrels: null };

const read = async (file: File): Promise<RankingFile> => ({ name: file.name, text: await file.text() });

/** Rankings and relevance of other systems. They are kept on this page only, and nothing is stored. */
export function Files({ files, onChange }: { files: ForeignFiles; onChange: (files: ForeignFiles) => void }) {
  return (
    <Panel title={t("Files of other systems")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <FileInput
          multiple
          clearable
          clearButtonProps={{ "aria-label": t("Remove file") }}
          label={t("Rankings")}
          description={t(
            "TREC runs, or CSV files of documents by RAGElo (qid, did), compared beside the retrievers.",
          )}
          placeholder={t("None")}
          onChange={async (chosen) => onChange({ ...files, runs: await Promise.all(chosen.map(read)) })}
        />
        <FileInput
          clearable
          clearButtonProps={{ "aria-label": t("Remove file") }}
          label={t("Relevance")}
          description={t("TREC qrels, used instead of the gold passages of the dataset.")}
          placeholder={t("None")}
          onChange={async (chosen) => onChange({ ...files, qrels: chosen && (await read(chosen)) })}
        />
      </SimpleGrid>
    </Panel>
  );
}
