import { NumberInput } from "@mantine/core";
import { FieldGrid } from "@/components/FieldGrid";
import { t } from "@/words";

const STEP = 0.05;

export interface LimitValues {
  answerability: number | string;
  faithfulness: number | string;
  relevance: number | string;
  stand_alone: number | string;
  similarity: number | string;
}

interface Props {
  isJudged: boolean;
  values: LimitValues;
  onChange: (values: LimitValues) => void;
}

const JUDGED: [keyof LimitValues, string, string][] = [
  [
    "answerability",
    t("Answerable, at least"),
    t("The passage alone answers the question: 1 or 0. One request."),
  ],
  [
    "faithfulness",
    t("Faithful, at least"),
    t("Share of the answer’s statements that the passage supports. Two requests."),
  ],
  ["relevance", t("Relevant, at least"), t("How well the answer fits the question. Three requests.")],
  [
    "stand_alone",
    t("Understandable without the passage, at least"),
    t("How understandable the question is without the passage. One request."),
  ],
];

/** The limits of the checks with what each costs; an empty field leaves a check out. */
export function Limits({ isJudged, values, onChange }: Props) {
  const fields: [keyof LimitValues, string, string][] = [
    ...(isJudged ? JUDGED : []),
    [
      "similarity",
      t("Repeated question, from similarity"),
      t("Cosine similarity with an accepted question. No request."),
    ],
  ];
  return (
    <details>
      <summary>{t("Checks and limits")}</summary>
      <FieldGrid mt="sm">
        {fields.map(([name, label, description]) => (
          <NumberInput
            key={name}
            label={label}
            description={description}
            placeholder={t("off")}
            min={0}
            max={1}
            step={STEP}
            value={values[name]}
            onChange={(value) => onChange({ ...values, [name]: value })}
          />
        ))}
      </FieldGrid>
    </details>
  );
}
