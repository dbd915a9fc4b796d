import { Button, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useSendSheets } from "@/api/imports";
import { useJob } from "@/api/jobs";
import { datasetQueries } from "@/api/materials";
import { asPart, formData } from "@/api/upload";
import { bindText } from "@/components/fields";
import { JobProgress } from "@/components/JobProgress";
import { FileDrop } from "@/components/material/FileDrop";
import { importLabel } from "@/components/material/importLabel";
import { showDone } from "@/components/notices";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { useFormState } from "@/components/useFormState";
import { t } from "@/words";
import { withPath } from "./paths";

/** Result sheets in: read whole or not at all, then their audit opens. */
export function ImportSheets() {
  const [files, setFiles] = useFormState<File[]>("sheets", []);
  const [name, setName] = useFormState("sheets.name", "");
  const [dataset, setDataset] = useFormState<string | null>("sheets.dataset", null);
  const datasets = useQuery(datasetQueries.list());
  const send = useSendSheets();
  const navigate = useNavigate();
  const job = useJob({
    changes: ["imports"],
    onDone: async ({ result }, isHere) => {
      setFiles([]);
      setName("");
      if (result?.former_name)
        showDone(
          t("The same sheets were imported before as “{former}”. The import is now named “{name}”.", {
            former: String(result.former_name),
            name: String(result.name),
          }),
        );
      if (isHere) await navigate({ to: "/analysis/imports/$id", params: { id: String(result?.id) } });
    },
  });
  const start = () => {
    const body = {
      files: files.map(asPart),
      ...(name.trim() ? { name: name.trim() } : {}),
      ...(dataset ? { dataset } : {}),
    };
    return job.begin(send.mutateAsync({ body, bodySerializer: formData }));
  };
  const busy = send.isPending || job.isBusy;
  const problem = send.error ?? job.problem;
  return (
    <Stack gap="md">
      {files.length === 0 ? (
        <FileDrop
          multiple
          label={t("Drop sheets, a folder or a zip archive here, or choose files")}
          hint={t(
            "XLSX. The path gives model and threshold or strategy: MODEL/threshold_0.55/FILE.xlsx, MODEL-0.55.xlsx or MODEL-competitive.xlsx.",
          )}
          onFiles={(dropped) => setFiles(dropped.map(withPath))}
        />
      ) : (
        <Group gap="sm">
          <Text fw={550}>{t("{count, plural, one {# file} other {# files}}", { count: files.length })}</Text>
          <Quiet lineClamp={2}>{files.map((file) => file.name).join(", ")}</Quiet>
          <Button variant="subtle" size="compact-sm" onClick={() => setFiles([])} disabled={busy}>
            {t("Choose other files")}
          </Button>
        </Group>
      )}
      <TextInput
        w="min(100%, 24rem)"
        label={t("Name")}
        description={t("Optional: the default is the name of the archive, the folder or the models.")}
        maxLength={200}
        {...bindText(name, setName)}
      />
      <Select
        w="min(100%, 24rem)"
        label={t("Reference dataset")}
        description={t(
          "Optional: the dataset whose questions and reference answers are checked against the sheets.",
        )}
        placeholder={t("None")}
        clearable
        clearButtonProps={{ "aria-label": t("None") }}
        data={datasets.data?.items.map(({ name }) => name) ?? []}
        value={dataset}
        onChange={setDataset}
      />
      <ProblemNotice error={problem} title={t("Nothing was imported")} />
      {busy && <JobProgress label={t("Reading sheets")} {...job.running} />}
      {files.length > 0 && (
        <Group>
          <Button onClick={start} loading={busy}>
            {importLabel(files.length)}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
