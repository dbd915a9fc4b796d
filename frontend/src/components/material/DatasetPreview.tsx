import { List, Stack, Text } from "@mantine/core";
import { Problem } from "@/api/problem";
import type { DatasetPreview as Preview } from "@/api/types";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Said } from "@/components/Said";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";

const label = words.materials;

/** How the columns of a file are read, what is wrong with it, and its first questions. */
export function DatasetPreview({ preview }: { preview: Preview }) {
  const { counts, mapping, problems, questions } = preview;
  return (
    <Stack gap="sm">
      <Text size="sm">
        {label.counts(formatCount(counts.rows), formatCount(counts.questions), formatCount(counts.with_gold))}
      </Text>
      {mapping.notes.length > 0 && (
        <Note title={label.decisions}>
          <List size="sm">
            {mapping.notes.map((note) => (
              <List.Item key={note}>
                <Said text={note} wordings={{}} />
              </List.Item>
            ))}
          </List>
        </Note>
      )}
      {counts.problems > 0 && (
        <ProblemNotice
          error={new Problem(422, label.rejected, label.problems(formatCount(counts.problems)), problems)}
          title={label.refused}
        />
      )}
      <Columns mapping={mapping} />
      {questions.length > 0 && (
        <Sheet label={label.sample}>
          <thead>
            <tr>
              <th scope="col">{words.evaluation.question}</th>
              <th scope="col">{words.evaluation.reference}</th>
            </tr>
          </thead>
          <tbody>
            {questions.map((question) => (
              <tr key={question.id}>
                <td className={cell.text}>{question.text}</td>
                <td className={cell.text}>{question.reference}</td>
              </tr>
            ))}
          </tbody>
        </Sheet>
      )}
    </Stack>
  );
}

function Columns({ mapping }: { mapping: Preview["mapping"] }) {
  return (
    <Sheet label={label.columns}>
      <thead>
        <tr>
          <th scope="col">{label.column}</th>
          <th scope="col">{label.takenAs}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(mapping.columns ?? {}).map(([meaning, column]) => (
          <tr key={column}>
            <td>{column}</td>
            <td>{meaning}</td>
          </tr>
        ))}
        {mapping.ignored.map((column) => (
          <tr key={column}>
            <td>{column}</td>
            <td>
              <Text component="span" size="sm" c="var(--quiet)">
                {label.notTaken}
              </Text>
            </td>
          </tr>
        ))}
      </tbody>
    </Sheet>
  );
}
