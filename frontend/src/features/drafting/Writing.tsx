import { NumberInput, Select, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { datasetQueries } from "@/api/materials";
import type { DraftRequest, Sending } from "@/api/types";
import { FieldGrid } from "@/components/FieldGrid";
import { bindText, bindWhole, typedNumber } from "@/components/fields";
import { t } from "@/words";

const LONGEST_INSTRUCTION = 2000;

export interface WritingValues {
  instruction: string;
  /** Dataset with questions of users; null shows none. */
  examples: string | null;
  /** Empty for the language of the documents. */
  language: string;
  seed: number | string;
  /** Passages or tokens of one request; empty for the usual size. */
  size: number | string;
}

export const USUAL_WRITING: WritingValues = {
  instruction: "",
  examples: null,
  language: "",
  seed: 1,
  size: "",
};

/** The members of a request that say how models write. */
export function sentWriting(values: WritingValues, isByTokens: boolean): Partial<Sending<DraftRequest>> {
  const [seed, size] = [typedNumber(values.seed), typedNumber(values.size)];
  const language = values.language.trim();
  return {
    instruction: values.instruction.trim(),
    ...(values.examples ? { examples: values.examples } : {}),
    ...(language ? { language } : {}),
    ...(seed === null ? {} : { seed }),
    ...(size === null ? {} : { window: { unit: isByTokens ? "tokens" : "passage", size } }),
  };
}

interface Props {
  /** Whether texts are measured in tokens instead of passages. */
  isByTokens: boolean;
  values: WritingValues;
  onChange: (values: WritingValues) => void;
}

/** How models write: instruction, questions of users as examples, language, order and size of the texts. */
export function Writing({ isByTokens, values, onChange }: Props) {
  const datasets = useQuery(datasetQueries.list());
  const put = (next: Partial<WritingValues>) => onChange({ ...values, ...next });
  return (
    <details>
      <summary>{t("Instruction and texts")}</summary>
      <Textarea
        label={t("Instruction")}
        description={t("Replaces PaSSER’s instruction for writing questions. The worked examples stay.")}
        placeholder={t("PaSSER’s instruction")}
        autosize
        minRows={2}
        maxLength={LONGEST_INSTRUCTION}
        {...bindText(values.instruction, (instruction) => put({ instruction }))}
        mt="sm"
      />
      <FieldGrid mt="sm">
        <Select
          label={t("Questions of users")}
          description={t(
            "Choose a dataset of users’ questions. Models see five of them, imitate their style and repeat none.",
          )}
          placeholder={t("none")}
          data={(datasets.data?.items ?? []).map(({ name }) => name)}
          value={values.examples}
          onChange={(examples) => put({ examples })}
          clearable
          searchable
        />
        <TextInput
          label={t("Language")}
          description={t("Language tag, for example en or bg.")}
          placeholder={t("language of the documents")}
          {...bindText(values.language, (language) => put({ language }))}
        />
        <NumberInput
          label={isByTokens ? t("Tokens per request") : t("Passages per request")}
          description={t("Consecutive passages of one document that a model reads at once.")}
          placeholder={isByTokens ? "2000" : "1"}
          min={1}
          {...bindWhole(values.size, (size) => put({ size }))}
        />
        <NumberInput
          label={t("Seed")}
          description={t("Determines the order in which passages are read.")}
          min={0}
          {...bindWhole(values.seed, (seed) => put({ seed }))}
        />
      </FieldGrid>
    </details>
  );
}
