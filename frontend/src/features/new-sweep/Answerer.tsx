import { Button, Group, MultiSelect, NumberInput } from "@mantine/core";
import { useState } from "react";
import { bindWhole } from "@/components/fields";
import { ConnectServer } from "@/components/models/ConnectServer";
import { serverName } from "@/components/models/serverName";
import { useModelChoices } from "@/components/models/useModelChoices";
import { BUILT_IN, modelOf } from "@/components/models/value";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { ServerText } from "@/components/ServerText";
import { t } from "@/words";
import classes from "./NewSweepPage.module.css";
import type { SweepFormState } from "./useSweepForm";

/** Which models answer: the built-in reader, and what every model server has. */
export function Answerer({ form }: { form: SweepFormState }) {
  const [isOpen, setOpen] = useState(false);
  const { groups, away } = useModelChoices(form.values.models);
  return (
    <Panel
      title={t("Models")}
      beside={
        <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t("Connect a model server")}
        </Button>
      }
    >
      <MultiSelect
        label={t("Models")}
        description={
          form.values.models.length > 1
            ? t("Several models are compared with each other. Each model has its own baseline.")
            : undefined
        }
        searchable
        nothingFoundMessage={t("No model matches.")}
        data={groups}
        {...form.field("models")}
      />
      <Windows form={form} />
      {form.values.models.includes(BUILT_IN) && (
        <Quiet>
          {t(
            "The built-in reader copies the sentences most similar to the question. It needs no model server and shows what retrieval alone achieves.",
          )}
        </Quiet>
      )}
      {away.map((server) => (
        <Quiet key={`${server.provider} ${server.connection}`}>
          {serverName(server)}: <ServerText text={server.problem ?? ""} />
        </Quiet>
      ))}
      {isOpen && (
        <div className={classes.inset}>
          <ConnectServer onConnected={() => setOpen(false)} />
        </div>
      )}
    </Panel>
  );
}

/** A context window for each of several models; the built-in reader has none. */
function Windows({ form }: { form: SweepFormState }) {
  const { models, numCtx, numCtxOf } = form.values;
  const asked = models.filter((value) => value !== BUILT_IN);
  if (asked.length < 2) return null;
  const problem = form.field("numCtxOf").error;
  return (
    <Group gap="md" align="flex-end">
      {asked.map((value) => (
        <NumberInput
          key={value}
          size="xs"
          w={220}
          label={t("Context window of {model}", { model: modelOf(value).name ?? value })}
          placeholder={t("{count, number} tokens", { count: Number(numCtx) })}
          step={1024}
          {...bindWhole(numCtxOf[value] ?? "", (tokens) =>
            form.set("numCtxOf", { ...numCtxOf, [value]: tokens === "" ? "" : Number(tokens) }),
          )}
          error={problem}
        />
      ))}
    </Group>
  );
}
