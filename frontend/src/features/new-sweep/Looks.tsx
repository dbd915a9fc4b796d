import { Button, Checkbox, Group, NumberInput, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { datasetQueries } from "@/api/materials";
import { bindTick, bindWhole } from "@/components/fields";
import { t } from "@/words";
import type { SweepForm } from "./form";
import type { SweepFormState } from "./useSweepForm";

/** A first look at half of the questions, a second one at all of them; null where there are too few to divide. */
export function proposedLooks(questions: number): NonNullable<SweepForm["looks"]> | null {
  const first = Math.ceil(questions / 2);
  return first < questions ? { first, second: questions, is_planned: true } : null;
}

/** Looks at the results: one at the end, or two planned ones, of which this sweep is the first. */
export function Looks({ form }: { form: SweepFormState }) {
  const datasets = useQuery(datasetQueries.list());
  const { looks, dataset, questions } = form.values;
  const all = datasets.data?.items.find(({ name }) => name === dataset)?.questions ?? 0;
  if (looks && !looks.is_planned) return <NewQuestionsAlone form={form} />;
  const plan = (next: SweepForm["looks"]) => form.fill({ looks: next, questions: next ? next.first : "" });
  const proposed = proposedLooks(questions === "" ? all : Math.max(questions, all));
  return (
    <>
      <Checkbox
        mt="md"
        label={t("Plan a second look")}
        description={t(
          "This sweep asks the first questions. If they are not enough for a decision, a second sweep asks all of them, with a bound that accounts for both looks.",
        )}
        {...bindTick(looks != null, (value) => plan(value ? proposed : null))}
        disabled={looks == null && proposed === null}
      />
      {looks && (
        <Group gap="md" align="flex-start">
          <NumberInput
            label={t("Questions of the first look")}
            min={1}
            {...bindWhole(
              looks.first,
              (value) => typeof value === "number" && plan({ ...looks, first: value }),
            )}
          />
          <NumberInput
            label={t("Questions of both looks")}
            description={
              all > 0
                ? t("The dataset has {count, plural, one {# question} other {# questions}}.", { count: all })
                : undefined
            }
            min={2}
            {...bindWhole(
              looks.second,
              (value) =>
                typeof value === "number" && form.set("looks", { ...looks, second: value, is_planned: true }),
            )}
          />
        </Group>
      )}
    </>
  );
}

/** A look after results that nobody had planned to look at. */
function NewQuestionsAlone({ form }: { form: SweepFormState }) {
  return (
    <Group gap="sm">
      <Text size="sm">
        {t("Unplanned second look: only the questions after the first {first, number} are tested.", {
          first: form.values.looks?.first ?? 0,
        })}
      </Text>
      <Button size="compact-sm" variant="default" onClick={() => form.set("looks", null)}>
        {t("Remove second look")}
      </Button>
    </Group>
  );
}
