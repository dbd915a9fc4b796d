import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { systemQueries } from "@/api/system";
import type { Part } from "@/api/types";
import { Command } from "@/components/Command";
import { Moment } from "@/components/Moment";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { ServerText } from "@/components/ServerText";
import { type Column, DataTable, plainColumn } from "@/components/table";
import { t } from "@/words";
import { availability, PARTS, toneOf } from "@/words/parts";
import classes from "./PartsPanel.module.css";

/** Every part, looked at when the page opens and whenever one asks. */
export function PartsPanel() {
  const query = useQuery({ ...systemQueries.parts(), refetchOnMount: "always" });
  return (
    <Panel
      title={t("Components")}
      beside={
        <Button variant="default" size="xs" loading={query.isFetching} onClick={() => query.refetch()}>
          {t("Check again")}
        </Button>
      }
    >
      <QueryState query={query} height={280} />
      {query.data && (
        <>
          <DataTable
            name="parts"
            label={t("Components")}
            columns={COLUMNS}
            rows={query.data.parts}
            keyOf={({ name }) => name}
            isShort
          />
          <Quiet role="status">
            {t("Version {version}", { version: query.data.version })}. {t("Last check")}{" "}
            <Moment at={new Date(query.dataUpdatedAt).toISOString()} />.
          </Quiet>
        </>
      )}
    </Panel>
  );
}

const COLUMNS: Column<Part>[] = [
  plainColumn("part", t("Component"), ({ name }) => PARTS[name] ?? name, {
    note: (part) => <PartState part={part} />,
  }),
  plainColumn("detail", t("Details"), ({ detail }) => detail, {
    sort: "none",
    cell: ({ detail, command }) => (
      <>
        <div className={classes.detail}>
          <Detail text={detail} />
        </div>
        {command && commandsOf(command).map((text) => <Command key={text} text={text} />)}
      </>
    ),
  }),
];

/** Lines end after the slashes of a path, and within a digest after each 16 digits. */
const ENDS = /(?<=\/)(?=[^/\s])|(?<=\b(?:[0-9a-f]{16})+)(?=[0-9a-f]{16})/;

function Detail({ text }: { text: string }) {
  // What is to be typed stays whole.
  const parts = text.includes("`") ? [text] : text.split(ENDS);
  return parts.map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
    <Fragment key={place}>
      {place > 0 && <wbr />}
      <ServerText text={part} />
    </Fragment>
  ));
}

/** Whether a component is available, missing or not configured, and whether it is required. */
function PartState({ part }: { part: Part }) {
  const { ok, required, is_configured } = part;
  return (
    <Text size="sm" fw={400}>
      <Text span inherit fw={550} c={toneOf(part)}>
        <span aria-hidden="true">{ok ? "✓" : is_configured ? "!" : "–"}</span> {availability(part)}
      </Text>
      <Text span inherit c="var(--quiet)">
        , {required ? t("required") : t("optional")}
      </Text>
    </Text>
  );
}

const SECOND = /^(.*?) \(then: (.*)\)$/;

/** The commands in what a part says adds it: one, or one and then another. */
export function commandsOf(text: string): string[] {
  const [, first, second] = SECOND.exec(text) ?? [];
  return first && second ? [first, second] : [text];
}
