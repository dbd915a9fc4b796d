import { Button, Text } from "@mantine/core";
import { api } from "@/api/client";
import type { Part } from "@/api/types";
import { Command } from "@/components/Command";
import { Moment } from "@/components/Moment";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Said } from "@/components/Said";
import { Sheet } from "@/components/Sheet";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { commandsOf } from "./commands";
import classes from "./PartsPanel.module.css";

const label = words.settings;

/** Every part, looked at when the page opens and whenever one asks. */
export function PartsPanel() {
  const query = api.useQuery("get", "/api/v1/system", {}, { refetchOnMount: "always" });
  return (
    <Panel
      title={label.parts}
      beside={
        <Button variant="default" size="xs" loading={query.isFetching} onClick={() => query.refetch()}>
          {label.check}
        </Button>
      }
    >
      {query.isPending && <Waiting height={280} />}
      {query.isError && <ProblemNotice error={query.error} onRetry={() => query.refetch()} />}
      {query.data && (
        <>
          <PartTable parts={query.data.parts} />
          <Text size="sm" c="var(--quiet)" role="status">
            {words.shell.version(query.data.version)}. {label.checkedAt}{" "}
            <Moment at={new Date(query.dataUpdatedAt).toISOString()} />.
          </Text>
        </>
      )}
    </Panel>
  );
}

function PartTable({ parts }: { parts: Part[] }) {
  return (
    <Sheet label={label.parts}>
      <thead>
        <tr>
          <th scope="col">{label.part}</th>
          <th scope="col">{label.about}</th>
        </tr>
      </thead>
      <tbody>
        {parts.map((part) => (
          <tr key={part.name}>
            <th scope="row">
              {words.shell.partNames[part.name] ?? part.name}
              <PartState part={part} />
            </th>
            <td>
              <div className={classes.detail}>
                <Said text={part.detail} wordings={{}} />
              </div>
              {part.command && commandsOf(part.command).map((text) => <Command key={text} text={text} />)}
            </td>
          </tr>
        ))}
      </tbody>
    </Sheet>
  );
}

/** There, or not there; what is needed and missing stands out more than what is optional. */
function PartState({ part: { ok, required } }: { part: Part }) {
  const missing = required ? "var(--bad-text)" : "var(--warn-text)";
  return (
    <Text size="sm" fw={400}>
      <Text span inherit fw={550} c={ok ? "var(--good-text)" : missing}>
        <span aria-hidden="true">{ok ? "✓" : "!"}</span> {ok ? words.shell.partOk : words.shell.partNo}
      </Text>
      <Text span inherit c="var(--quiet)">
        , {required ? label.required : label.optional}
      </Text>
    </Text>
  );
}
