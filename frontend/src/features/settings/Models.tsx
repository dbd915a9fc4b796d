import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { systemQueries, useDisconnectServer } from "@/api/system";
import type { ModelServer } from "@/api/types";
import { Command } from "@/components/Command";
import { Confirm } from "@/components/Confirm";
import { ConnectServer } from "@/components/models/ConnectServer";
import { serverName } from "@/components/models/serverName";
import { Note } from "@/components/Note";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { Said } from "@/components/Said";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { ModelTable } from "./ModelTable";
import { PullModel } from "./PullModel";

const KEYS = { none: null, stored: t("key stored encrypted"), environment: t("key in the environment") };

/** Every model server with its models; the way to another one. */
export function Models() {
  const query = useQuery(systemQueries.models());
  const servers = query.data?.items.filter(({ provider }) => provider !== "extractive");
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel
      title={t("Model servers")}
      beside={
        <Group gap="xs">
          <Button variant="default" size="xs" loading={query.isFetching} onClick={() => query.refetch()}>
            {t("Check again")}
          </Button>
          <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t("Connect a model server")}
          </Button>
        </Group>
      }
    >
      {isOpen && <ConnectServer onConnected={() => setOpen(false)} />}
      {query.isPending && <Waiting height={120} />}
      {query.isError && <ProblemNotice error={query.error} title={t("Models not available")} />}
      {servers?.map((server) => (
        <Server key={`${server.provider} ${server.connection}`} server={server} />
      ))}
    </Panel>
  );
}

function Server({ server }: { server: ModelServer }) {
  const { connection, setting, address, models, problem, left_out: leftOut } = server;
  const isOllama = setting === "PASSER_OLLAMA_URL";
  const about = [address, setting && t("set by {variable}", { variable: setting }), KEYS[server.key]];
  return (
    <Stack component="section" gap="xs" aria-label={serverName(server)}>
      <Group justify="space-between" gap="xs">
        <div>
          <Title order={3}>{serverName(server)}</Title>
          <Quiet style={{ overflowWrap: "anywhere" }}>{about.filter(Boolean).join(", ")}</Quiet>
        </div>
        {connection != null && <Disconnect name={connection} />}
      </Group>
      {problem != null && (
        <Note tone="warn" title={t("Models not available")}>
          <Said text={problem} />
        </Note>
      )}
      {problem == null && models.length === 0 && (
        <>
          <Text>{t("This server has no models yet.")}</Text>
          {isOllama && <Command text={t("ollama pull mistral:7b")} />}
        </>
      )}
      {models.length > 0 && (
        <ModelTable
          name={connection ?? server.provider}
          label={t("Models of {name}", { name: serverName(server) })}
          items={models}
        />
      )}
      {leftOut.length > 0 && (
        <Note tone="warn" title={t("Files that cannot be used")}>
          {leftOut.map((why) => (
            <Text key={String(why)} size="sm">
              <Said text={why} />
            </Text>
          ))}
        </Note>
      )}
      {isOllama && problem == null && <PullModel />}
    </Stack>
  );
}

function Disconnect({ name }: { name: string }) {
  const [isAsking, setAsking] = useState(false);
  const disconnect = useDisconnectServer();
  return (
    <>
      <Button variant="default" size="xs" loading={disconnect.isPending} onClick={() => setAsking(true)}>
        {t("Disconnect {name}", { name })}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={t("Disconnect {name}?", { name })}
        text={t("PaSSER forgets the address and the key. Sweeps that used this server keep their results.")}
        keep={t("Keep connection")}
        confirm={t("Disconnect")}
        onConfirm={() => {
          setAsking(false);
          disconnect.mutate({ params: { path: { name } } });
        }}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
