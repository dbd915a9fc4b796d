import { Button, Group, Stack, Text } from "@mantine/core";
import { Note } from "@/components/Note";
import { useShortcuts } from "@/components/shortcuts";
import { t } from "@/words";
import { leftOf, type QueuePlace } from "./queue";

interface Props {
  places: readonly QueuePlace[];
  isBusy: boolean;
  /** What is said when nothing is left. */
  done: string;
  onNext: () => void;
  onBack: () => void;
}

/** The end of a rater's list: nothing is left, something was skipped, or other raters have the rest open. */
export function QueueEnd({ places, isBusy, done, onNext, onBack }: Props) {
  const { free, reserved } = leftOf(places);
  const isDone = free + reserved === 0;
  useShortcuts([
    ["u", onBack],
    ["ArrowLeft", onBack],
  ]);
  return (
    <Note role="status">
      <Stack gap="xs" align="flex-start">
        {isDone && <Text>{done}</Text>}
        {free > 0 && (
          <Text>
            {t(
              "This is the end of the list. {free, plural, one {# answer is} other {# answers are}} not rated yet.",
              { free },
            )}
          </Text>
        )}
        {reserved > 0 && (
          <Text>
            {t(
              "{reserved, plural, one {# answer is} other {# answers are}} reserved for another rater, for 10 minutes at most.",
              { reserved },
            )}
          </Text>
        )}
        <Group gap="xs">
          {!isDone && (
            <Button variant="default" loading={isBusy} onClick={onNext}>
              {t("Rate the next answer")}
            </Button>
          )}
          <Button variant="default" onClick={onBack}>
            {t("Back to the previous one")}
          </Button>
        </Group>
      </Stack>
    </Note>
  );
}
