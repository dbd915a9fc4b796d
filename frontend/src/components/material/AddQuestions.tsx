import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/api/client";
import { Problem } from "@/api/problem";
import { asPart, formData } from "@/api/upload";
import { showDone } from "@/components/notices";
import { formatCount } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { words } from "@/words";
import { DatasetPreview } from "./DatasetPreview";
import { FileDrop } from "./FileDrop";

const label = words.materials;

/** Look into a file with questions, then take it: whole, or not at all. */
export function AddQuestions({ onAdded }: { onAdded?: (dataset: string) => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState("");
  const [language, setLanguage] = useState("en");
  const look = api.useMutation("post", "/api/v1/datasets/previews", { meta: { shown: true } });
  const take = api.useMutation("post", "/api/v1/datasets", { meta: { shown: true } });
  const cache = useQueryClient();

  const open = async ([dropped]: File[]) => {
    if (!dropped) return;
    setFile(dropped);
    setName(dropped.name.replace(/\.[^.]+$/, ""));
    take.reset();
    look.mutate({ body: { file: asPart(dropped) }, bodySerializer: formData });
  };
  const keep = async () => {
    if (!file) return;
    const taken = await take
      .mutateAsync({ body: { file: asPart(file), name, language }, bodySerializer: formData })
      .catch(() => null);
    if (!taken) return;
    await cache.invalidateQueries({ queryKey: ["get", "/api/v1/datasets"] });
    // The name may have had questions before: a page that shows them is to look again.
    cache.removeQueries({ queryKey: ["get", "/api/v1/datasets/{name}"] });
    cache.removeQueries({ queryKey: ["get", "/api/v1/datasets/{name}/versions"] });
    showDone(label.taken(taken.name));
    setFile(null);
    look.reset();
    onAdded?.(taken.name);
  };
  const fields = take.error instanceof Problem ? take.error.fields : {};

  return (
    <Stack gap="md">
      <FileDrop
        multiple={false}
        loading={look.isPending}
        label={label.dropQuestions}
        hint={label.dropQuestionsHint}
        onFiles={open}
      />
      {look.isError && <ProblemNotice error={look.error} title={label.rejected} />}
      {take.isError && <ProblemNotice error={take.error} title={label.rejected} />}
      {look.data && file && (
        <>
          <DatasetPreview preview={look.data} />
          <Group align="flex-start" gap="md">
            <TextInput
              label={label.datasetName}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={fields.name}
            />
            <TextInput
              label={label.language}
              description={label.languageHint}
              value={language}
              onChange={(event) => setLanguage(event.currentTarget.value)}
              error={fields.language}
              w={140}
            />
          </Group>
          <Group>
            <Button onClick={keep} loading={take.isPending} disabled={look.data.counts.problems > 0}>
              {label.take(formatCount(look.data.counts.questions))}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}
