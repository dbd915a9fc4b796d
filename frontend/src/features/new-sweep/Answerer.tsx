import { Button, MultiSelect, Text } from "@mantine/core";
import { useState } from "react";
import { ConnectServer } from "@/components/models/ConnectServer";
import { serverName } from "@/components/models/serverName";
import { useModelChoices } from "@/components/models/useModelChoices";
import { BUILT_IN } from "@/components/models/value";
import { Panel } from "@/components/Panel";
import { Said } from "@/components/Said";
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
      {form.values.models.includes(BUILT_IN) && (
        <Text size="sm" c="var(--quiet)">
          {t(
            "The built-in reader copies the sentences most similar to the question. It needs no model server and shows what retrieval alone achieves.",
          )}
        </Text>
      )}
      {away.map((server) => (
        <Text key={`${server.provider} ${server.connection}`} size="sm" c="var(--quiet)">
          {serverName(server)}: <Said text={server.problem ?? ""} />
        </Text>
      ))}
      {isOpen && (
        <div className={classes.inset}>
          <ConnectServer onConnected={() => setOpen(false)} />
        </div>
      )}
    </Panel>
  );
}
