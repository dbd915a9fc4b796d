import { Button, Group, Stack, Text } from "@mantine/core";
import type { ShownPair } from "@/api/types";
import { ASPECTS, type Aspect } from "@/components/judging/aspects";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";

type Grades = NonNullable<ShownPair["grades"]["first"]>;
type Grade = Grades[string];

const LEVELS: [grade: Grade, label: string][] = [
  [0, t("0 no")],
  [1, t("1 in part")],
  [2, t("2 fully")],
];

interface Props {
  /** The answer that is graded, as its heading says. */
  answer: string;
  aspects: readonly Aspect[];
  grades: Grades;
  onGrade: (grades: Grades) => void;
}

/** Grades of one answer, one row of buttons for each aspect. */
export function GradeFields({ answer, aspects, grades, onGrade }: Props) {
  return (
    <Stack gap="xs">
      {aspects.map((aspect) => (
        <div key={aspect}>
          <Text size="sm" fw={550}>
            {ASPECTS[aspect].label}
          </Text>
          <Quiet size="xs">{ASPECTS[aspect].asks}</Quiet>
          <Group gap={4} role="group" aria-label={`${answer}: ${ASPECTS[aspect].label}`}>
            {LEVELS.map(([grade, label]) => (
              <Button
                key={grade}
                size="compact-sm"
                variant={grades[aspect] === grade ? "filled" : "default"}
                aria-pressed={grades[aspect] === grade}
                onClick={() => onGrade({ ...grades, [aspect]: grade })}
              >
                {label}
              </Button>
            ))}
          </Group>
        </div>
      ))}
    </Stack>
  );
}
