import { Button, List, Stack, Text } from "@mantine/core";
import { type FieldProblem, Problem } from "@/api/problem";
import { words } from "@/words";
import { Note } from "./Note";

const SHOWN = 8;

function line({ row, field, message }: FieldProblem): string {
  const where = [row == null ? null : words.errors.row(row), field].filter(Boolean).join(", ");
  return where ? `${where}: ${message}` : message;
}

interface Props {
  error: unknown;
  title?: string;
  onRetry?: () => void;
}

/** What went wrong, in place: one sentence, the rows it names, and the button that helps. */
export function ProblemNotice({ error, title, onRetry }: Props) {
  const problem =
    error instanceof Problem ? error : new Problem(0, words.errors.crashTitle, words.errors.crash);
  const heading = title ?? words.errors.kind(problem.title);
  const shown = problem.errors.slice(0, SHOWN);
  const left = problem.errors.length - shown.length;
  return (
    <Note tone="bad" title={heading} role="alert">
      <Stack gap="xs" align="flex-start">
        {problem.message !== heading && <Text size="sm">{problem.message}</Text>}
        {shown.length > 0 && (
          <List size="sm">
            {shown.map((entry) => (
              <List.Item key={line(entry)}>{line(entry)}</List.Item>
            ))}
            {left > 0 && <List.Item>{words.errors.more(left)}</List.Item>}
          </List>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {words.errors.retry}
          </Button>
        )}
      </Stack>
    </Note>
  );
}
