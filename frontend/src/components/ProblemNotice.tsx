import { Button, List, Stack, Text } from "@mantine/core";
import { type FieldProblem, Problem } from "@/api/problem";
import { t } from "@/words";
import { Note } from "./Note";
import { ServerText } from "./ServerText";

const SHOWN = 8;
/** A role that is too low, a missing item, and a request that was refused for its values: all fail again. */
const LASTING = [403, 404, 422];

function placeOf({ row, field }: FieldProblem): string {
  return [row == null ? null : t("Row {row, number}", { row }), field].filter(Boolean).join(", ");
}

interface Props {
  /** Null or undefined where nothing went wrong. */
  error: unknown;
  title?: string;
  onRetry?: () => void;
}

/** What went wrong, in place: one sentence, the rows it names, and the button that helps; nothing while all is well. */
export function ProblemNotice({ error, title, onRetry }: Props) {
  if (error == null) return null;
  const problem =
    error instanceof Problem
      ? error
      : new Problem(
          0,
          t("Page error"),
          t(
            "The page failed unexpectedly. Your data on the server is not affected. Reload the page to continue.",
          ),
        );
  const heading = title ?? problem.title;
  // The first wrong field is named by the sentence itself.
  const listed = problem.errors.filter(
    ({ row, message }, place) => row != null || place > 0 || !problem.message.includes(message),
  );
  const shown = listed.slice(0, SHOWN);
  const left = listed.length - shown.length;
  return (
    <Note tone="bad" title={heading} role="alert" isOffline={problem.isOffline}>
      <Stack gap="xs" align="flex-start">
        {problem.message !== heading && (
          <Text size="sm">
            <ServerText text={problem.message} />
          </Text>
        )}
        {shown.length > 0 && (
          <List size="sm">
            {shown.map((entry) => (
              <List.Item key={`${placeOf(entry)} ${entry.message}`}>
                {placeOf(entry) && `${placeOf(entry)}: `}
                <ServerText text={entry.message} />
              </List.Item>
            ))}
            {left > 0 && <List.Item>{t("and {count, number} more", { count: left })}</List.Item>}
          </List>
        )}
        {onRetry && !LASTING.includes(problem.status) && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t("Retry")}
          </Button>
        )}
      </Stack>
    </Note>
  );
}
