import { Group, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useImportQuestions, usePreviewQuestions } from "@/api/materials";
import { Problem } from "@/api/problem";
import type { DatasetPreview as Preview } from "@/api/types";
import { asPart, formData } from "@/api/upload";
import { bindText } from "@/components/fields";
import { showDone } from "@/components/notices";
import { ProblemNotice } from "@/components/ProblemNotice";
import { SendButton } from "@/components/SendButton";
import { useFormState } from "@/components/useFormState";
import { t } from "@/words";
import type { Mapping } from "./ColumnTable";
import { DatasetPreview } from "./DatasetPreview";
import { FileDrop } from "./FileDrop";

/** A mapping as the field of a form; its notes are for reading only. */
const asJson = ({ columns, ignored }: Mapping) => JSON.stringify({ columns, ignored });

const CHANGES = [
  { value: "add", label: t("Add questions") },
  { value: "replace", label: t("Replace all questions") },
] as const;
type Change = (typeof CHANGES)[number]["value"];

interface Props {
  /** The dataset of which the file makes a new version; without one, the name is typed. */
  dataset?: string;
  onAdded?: (dataset: string) => void;
}

/** Previews a file with questions, then imports it: whole, or by choice without its bad rows. */
export function AddQuestions({ dataset, onAdded }: Props) {
  const [file, setFile] = useFormState<File | null>("questions", null);
  const [name, setName] = useFormState("questions.name", "");
  const [language, setLanguage] = useFormState<string | null>("questions.language", null);
  const look = usePreviewQuestions();
  // The table of columns stays in place while another mapping is tried.
  const [preview, setPreview] = useState<Preview | null>(null);
  const [mapping, setMapping] = useFormState<Mapping | null>("questions.mapping", null);
  const [change, setChange] = useFormState<Change>("questions.change", "add");
  const take = useImportQuestions();

  const isAdded = dataset !== undefined && change === "add";
  const read = (from: File, by: Mapping | null, adds = isAdded) => {
    const body = {
      file: asPart(from),
      ...(by && { mapping: asJson(by) }),
      ...(adds && { add_to: dataset }),
    };
    look.mutate({ body, bodySerializer: formData }, { onSuccess: setPreview });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, where the page came again with a file
  useEffect(() => {
    if (file) read(file, mapping);
  }, []);
  const open = async ([dropped]: File[]) => {
    if (!dropped) return;
    setFile(dropped);
    setName(dataset ?? dropped.name.replace(/\.[^.]+$/, ""));
    setLanguage(null);
    setMapping(null);
    setPreview(null);
    take.reset();
    read(dropped, null);
  };
  const readAs = (chosen: Mapping) => {
    if (!file || !preview) return;
    // A second column may be chosen before the server has answered about the first one.
    setPreview({ ...preview, mapping: { ...preview.mapping, ...chosen } });
    setMapping(chosen);
    read(file, chosen);
  };
  const skipped = preview?.counts.skippable ?? 0;
  const keep = async () => {
    if (!file) return;
    const taken = await take
      .mutateAsync({
        body: {
          file: asPart(file),
          name,
          add: isAdded,
          language: isAdded ? null : language,
          mapping: preview && asJson(preview.mapping),
          skip_bad_rows: skipped > 0,
        },
        bodySerializer: formData,
      })
      .catch(() => null);
    if (!taken) return;
    showDone(t("Dataset {name} is ready", { name: taken.name }));
    setFile(null);
    look.reset();
    onAdded?.(taken.name);
  };
  const fields = take.error instanceof Problem ? take.error.fields : {};

  return (
    <Stack gap="md">
      {dataset !== undefined && (
        <Group>
          <SegmentedControl
            size="xs"
            aria-label={t("Questions of the file")}
            data={[...CHANGES]}
            value={change}
            onChange={(chosen) => {
              setChange(chosen);
              if (file) read(file, mapping, chosen === "add");
            }}
          />
        </Group>
      )}
      <FileDrop
        multiple={false}
        loading={look.isPending}
        label={t("Drop a file with questions here, or choose a file")}
        hint={t("JSON, JSONL, CSV, XLSX or Parquet with one question and reference answer per row.")}
        onFiles={open}
      />
      {look.isError && <ProblemNotice error={look.error} title={t("Nothing was imported")} />}
      {take.isError && <ProblemNotice error={take.error} title={t("Nothing was imported")} />}
      {preview && file && (
        <>
          <DatasetPreview preview={preview} onMap={readAs} />
          <Group align="flex-start" gap="md">
            {dataset === undefined && (
              <TextInput label={t("Name")} {...bindText(name, setName)} error={fields.name} />
            )}
            {!isAdded && (
              <TextInput
                label={t("Language")}
                description={t("Language tag, for example en or bg.")}
                {...bindText(language ?? preview.language, setLanguage)}
                error={fields.language}
                w={140}
              />
            )}
          </Group>
          <SendButton
            onClick={keep}
            loading={take.isPending}
            disabled={look.isPending}
            missing={
              preview.counts.problems > 0 && skipped === 0
                ? t("Correct the problems above: choose other columns, or change the file and drop it again.")
                : null
            }
          >
            {skipped > 0
              ? t("Skip {skipped, plural, one {# bad row} other {# bad rows}} and import {count, number}", {
                  skipped,
                  count: preview.counts.questions,
                })
              : t("{count, plural, one {Import # question} other {Import # questions}}", {
                  count: preview.counts.questions,
                })}
          </SendButton>
        </>
      )}
    </Stack>
  );
}
