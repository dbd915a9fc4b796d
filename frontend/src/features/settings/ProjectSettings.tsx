import { Button, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { settingQueries, useSetSetting, useUnsetSetting } from "@/api/settings";
import type { ProjectSetting } from "@/api/types";
import { Form } from "@/components/Form";
import { useMay } from "@/components/ForRole";
import { bindText } from "@/components/fields";
import { showDone } from "@/components/notices";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { actColumn, type Column, DataTable, plainColumn, textColumn } from "@/components/table";
import { t } from "@/words";

const LABELS: Record<string, string> = {
  embedding: t("Embedding model of new collections"),
  judge_embedding: t("Embedding model of judged metrics"),
  ledger_granularity: t("Ledger entries of a run"),
  timestamp_url: t("Time stamp authority"),
};
const HINTS: Record<string, string> = {
  embedding: t("“embedded”, or ollama/NAME for a model of the Ollama server."),
  judge_embedding: t("“scoring” (the encoder of the scores), “embedded”, or ollama/NAME."),
  timestamp_url: t("Address of an RFC 3161 time stamp service. It sees digests only."),
};
const ROWS: Record<string, string> = {
  question: t("One per question and one per run"),
  run: t("One per run"),
};

const labelOf = (name: string) => LABELS[name] ?? name;
const shown = ({ name, value }: ProjectSetting) =>
  name === "ledger_granularity" && value != null ? (ROWS[value] ?? value) : value;

function sourceOf({ source, variable }: ProjectSetting): string {
  if (source === "environment") return t("set by {variable}", { variable });
  return source === "project" ? t("This project") : t("Default", {}, "origin");
}

const columns = (change: ((name: string) => void) | null): Column<ProjectSetting>[] => [
  plainColumn("name", t("Setting"), ({ name }) => labelOf(name)),
  textColumn("value", t("Value"), shown, { reason: t("Not set.") }),
  plainColumn("source", t("Source"), sourceOf),
  ...(change
    ? [
        actColumn<ProjectSetting>("change", t("Change"), ({ name }) => (
          <Button
            variant="default"
            size="xs"
            aria-label={t("Change {name}", { name: labelOf(name) })}
            onClick={() => change(name)}
          >
            {t("Change")}
          </Button>
        )),
      ]
    : []),
];

/** Settings of this project: everybody reads them, its administrators change them. */
export function ProjectSettings() {
  const query = useQuery(settingQueries.list());
  const [chosen, choose] = useState<string | null>(null);
  const mayChange = useMay("admin");
  const setting = query.data?.items.find(({ name }) => name === chosen);
  return (
    <Panel title={t("Project settings")}>
      <Quiet>{t("A value of this project overrides that of the server. Changes apply at once.")}</Quiet>
      <QueryState query={query} height={160} />
      {query.data && (
        <DataTable
          name="project-settings"
          label={t("Project settings")}
          columns={columns(mayChange ? choose : null)}
          rows={[...query.data.items]}
          keyOf={({ name }) => name}
          isShort
        />
      )}
      {setting && mayChange && (
        <ChangeForm
          key={setting.name}
          setting={setting}
          onChanged={() => query.refetch()}
          onDone={() => choose(null)}
        />
      )}
    </Panel>
  );
}

interface FormProps {
  setting: ProjectSetting;
  onChanged: () => Promise<unknown>;
  onDone: () => void;
}

function ChangeForm({ setting, onChanged, onDone }: FormProps) {
  const { name, inherited } = setting;
  const [value, setValue] = useState(setting.value ?? "");
  const set = useSetSetting();
  const unset = useUnsetSetting();
  const params = { path: { name } };
  const ended = async (change: Promise<unknown>) => {
    const failed = await change.then(
      () => false,
      () => true,
    );
    if (failed) return;
    await onChanged();
    showDone(t("{name} changed", { name: labelOf(name) }));
    onDone();
  };
  const submit = () => {
    void ended(set.mutateAsync({ params, body: { value: value.trim() } }));
  };
  const problem = set.error ?? unset.error;
  const field = {
    label: labelOf(name),
    autoFocus: true,
    w: { base: "100%", xs: 360 },
    ...bindText(value, setValue),
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="sm">
        {name === "ledger_granularity" ? (
          <NativeSelect
            {...field}
            data={Object.entries(ROWS).map(([key, label]) => ({ value: key, label }))}
          />
        ) : (
          <TextInput {...field} description={HINTS[name]} spellCheck={false} autoComplete="off" />
        )}
        <ProblemNotice error={problem} title={t("Setting not changed")} />
        <Group>
          <Button type="submit" loading={set.isPending} disabled={value.trim() === ""}>
            {t("Save setting")}
          </Button>
          {setting.source === "project" && (
            <Button
              variant="default"
              loading={unset.isPending}
              onClick={() => void ended(unset.mutateAsync({ params }))}
            >
              {inherited == null
                ? t("Remove value")
                : t("Use {value}", { value: shown({ ...setting, value: inherited }) ?? inherited })}
            </Button>
          )}
          <Button variant="default" onClick={onDone}>
            {t("Cancel", {}, "dialog")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
