import { Button, FileInput, Group, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useImportGames } from "@/api/arena";
import { asPart, formData } from "@/api/upload";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { useFormState } from "@/components/useFormState";
import { t } from "@/words";

/** Games that somebody else decided: a table of them becomes a tournament. */
export function ImportGames() {
  const [file, setFile] = useFormState<File | null>("games", null);
  const add = useImportGames();
  const navigate = useNavigate();
  const submit = async () => {
    if (!file) return;
    const body = { file: asPart(file) };
    const made = await add.mutateAsync({ body, bodySerializer: formData }).catch(() => null);
    if (made) await navigate({ to: "/arena/$id", params: { id: made.tournament.id } });
  };
  return (
    <Panel title={t("Games from a file")}>
      <Text size="sm">
        {t(
          "A table with the columns qid, a, b and winner (A, B, or C for a tie), or the file of pairwise answers that RAGElo writes.",
        )}
      </Text>
      <FileInput
        label={t("File")}
        placeholder={t("Choose a file")}
        accept=".csv,.jsonl,.xlsx"
        value={file}
        onChange={setFile}
        maw={420}
        clearable
      />
      <ProblemNotice error={add.error} />
      <Group>
        <Button variant="default" disabled={!file} loading={add.isPending} onClick={submit}>
          {t("Import games")}
        </Button>
      </Group>
    </Panel>
  );
}
