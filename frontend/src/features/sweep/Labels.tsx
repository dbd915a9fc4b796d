import {
  Button,
  Checkbox,
  FileButton,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { judgingQueries, useDrawLabels, useImportLabels } from "@/api/judging";
import type { Assessment, ListedDraw } from "@/api/types";
import { asPart, formData } from "@/api/upload";
import { ForRole, useMay } from "@/components/ForRole";
import { bindChoice, bindText, bindTick, bindWhole } from "@/components/fields";
import { FileLink, SmallLink } from "@/components/links";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { Subsection } from "@/components/Subsection";
import { t } from "@/words";

const QUESTIONS = 40;
const FORMATS = ["csv", "xlsx"] as const;

interface Props {
  assessment: Assessment;
  /** Names of the judged runs. */
  names: ReadonlyMap<string, string>;
  /** Questions of the sweep. */
  asked: number;
}

/** Ratings of people: draw a random sample, save it as a file, import the rated file. */
export function Labels({ assessment, names, asked }: Props) {
  const draws = useQuery(judgingQueries.draws(assessment.id));
  const [column, setColumn] = useState(assessment.spec.columns[0] ?? "");
  const [questions, setQuestions] = useState<number | string>(Math.min(QUESTIONS, asked));
  const [runs, setRuns] = useState<string[]>([]);
  const [perGroup, setPerGroup] = useState(false);
  const [raters, setRaters] = useState<number | string>("");
  const may = useMay();
  const draw = useDrawLabels();
  const judged = assessment.spec.runs ?? [];
  const submit = () =>
    draw.mutate({
      body: {
        assessment: assessment.id,
        column,
        questions: Number(questions),
        per_group: perGroup ? Number(questions) : null,
        runs,
        seed: 1,
        raters: Number(raters) || null,
      },
    });
  if (!may && !draws.data?.items.length) return null;
  return (
    <Subsection title={t("Your own ratings")}>
      <ForRole>
        {" "}
        <Text size="sm">
          {t(
            "Draw questions at random and rate their answers, here or in a file that you import. Judge and configurations are hidden. 40 questions are enough for a first calibration.",
          )}
        </Text>
        <Group align="flex-end" gap="sm">
          <Select
            label={t("Metric to rate")}
            data={assessment.spec.columns}
            {...bindChoice(column, setColumn)}
          />
          <NumberInput
            label={t("Questions to draw")}
            min={1}
            max={10000}
            {...bindWhole(questions, setQuestions)}
          />
          {judged.length > 1 && (
            <MultiSelect
              label={t("Configurations to rate")}
              placeholder={runs.length === 0 ? t("All") : ""}
              data={judged.map((id) => ({ value: id, label: names.get(id) ?? id }))}
              value={runs}
              onChange={setRuns}
              searchable
              maw={420}
            />
          )}
          <NumberInput
            label={t("Raters of each answer")}
            placeholder={t("All")}
            min={1}
            max={20}
            {...bindWhole(raters, setRaters)}
          />
          <Checkbox label={t("From each group")} {...bindTick(perGroup, setPerGroup)} />
          <Button variant="default" loading={draw.isPending} disabled={!Number(questions)} onClick={submit}>
            {t("Draw questions")}
          </Button>
        </Group>
        {Number(questions) > 0 && !perGroup && (
          <Quiet>
            {t(
              "At most {count, plural, one {# answer} other {# answers}} to rate; equal answers are rated once. With ratings of 20 questions or more, PaSSER corrects the means, and the verdict if all configurations are rated.",
              { count: Math.min(Number(questions), asked) * (runs.length || judged.length) },
            )}
          </Quiet>
        )}
      </ForRole>
      <ProblemNotice error={draw.error} />
      {draws.data?.items.map((listed) => (
        <Draw key={listed.draw.id} listed={listed} />
      ))}
    </Subsection>
  );
}

function Draw({ listed: { draw, items, rated } }: { listed: ListedDraw }) {
  const [rater, setRater] = useState("");
  const importing = useImportLabels();
  const progress = Object.entries(rated).map(([name, count]) =>
    t("{name}: {count, number} of {items, number} rated", { name, count, items }),
  );
  const send = (file: File | null) => {
    if (!file) return;
    importing.mutate({
      params: { path: { draw_id: draw.id } },
      body: { file: asPart(file), rater: rater.trim() },
      bodySerializer: formData,
    });
  };
  const { data } = importing;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={550}>
        {t(
          "{column}: {questions, plural, one {# question} other {# questions}}, {items, plural, one {# answer} other {# answers}}",
          { column: draw.column, questions: draw.questions.length, items },
        )}
      </Text>
      <Quiet>{progress.length > 0 ? progress.join(", ") : t("Not rated yet.")}</Quiet>
      <Group align="flex-end" gap="sm">
        <ForRole>
          <SmallLink to="/rate/$id" params={{ id: draw.id }}>
            {t("Rate answers here")}
          </SmallLink>
        </ForRole>
        {FORMATS.map((format) => (
          <FileLink
            key={format}
            address={`/api/v1/labels/draws/${encodeURIComponent(draw.id)}/sheet?format=${format}`}
          >
            {t("Save answers as {format}", { format: format.toUpperCase() })}
          </FileLink>
        ))}
        <ForRole>
          <TextInput label={t("Name of the rater")} {...bindText(rater, setRater)} />
          <FileButton onChange={send} accept=".csv,.xlsx,.jsonl,.json">
            {(props) => (
              <Button
                {...props}
                variant="default"
                disabled={rater.trim() === ""}
                loading={importing.isPending}
              >
                {t("Import rated file")}
              </Button>
            )}
          </FileButton>
        </ForRole>
      </Group>
      <ProblemNotice error={importing.error} />
      {data && (
        <Text size="sm" role="status">
          {t(
            "Imported {count, plural, one {# rating} other {# ratings}}. {unrated, plural, one {# row has} other {# rows have}} no value.",
            {
              count: data.labels,
              unrated: data.unrated,
            },
          )}
        </Text>
      )}
    </Stack>
  );
}
