import { Box, Button, Group, Progress, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useJob } from "@/api/jobs";
import { Problem } from "@/api/problem";
import { systemQueries, useDisconnectServer, usePullModel } from "@/api/system";
import type { Job, ModelInfo, ModelServer } from "@/api/types";
import { Command } from "@/components/Command";
import { Confirm } from "@/components/Confirm";
import { Form } from "@/components/Form";
import { ForRole, forRole } from "@/components/ForRole";
import { bindText } from "@/components/fields";
import { ConnectServer } from "@/components/models/ConnectServer";
import { serverName } from "@/components/models/serverName";
import { Note } from "@/components/Note";
import { showDone } from "@/components/notices";
import { formatBytes } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { SendButton } from "@/components/SendButton";
import { ServerText } from "@/components/ServerText";
import {
  bytesColumn,
  type Column,
  countColumn,
  DataTable,
  digestColumn,
  plainColumn,
} from "@/components/table";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";

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
          <ForRole least="admin">
            <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {t("Connect a model server")}
            </Button>
          </ForRole>
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
          <ServerText text={problem} />
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
              <ServerText text={why} />
            </Text>
          ))}
        </Note>
      )}
      {isOllama && problem == null && <PullModel />}
    </Stack>
  );
}

const Disconnect = forRole("admin", function Disconnect({ name }: { name: string }) {
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
});

/** A table of so few rows needs no search. */
const SHORT = 8;

const COLUMNS: Column<ModelInfo>[] = [
  plainColumn("name", t("Model"), ({ name }) => name),
  bytesColumn("size", t("Size"), ({ size_bytes }) => size_bytes, {
    reason: t("Not reported by the server."),
  }),
  plainColumn("family", t("Family"), ({ family }) => family, { reason: t("Not reported by the server.") }),
  plainColumn("parameters", t("Parameters"), ({ parameter_size }) => parameter_size, {
    kind: "number",
    reason: t("Not reported by the server."),
  }),
  plainColumn("quantization", t("Quantisation"), ({ quantization }) => quantization, {
    reason: t("Not reported by the server."),
  }),
  countColumn("context", t("Context window"), ({ context_length }) => context_length, {
    reason: t("Not part of the server’s model list."),
  }),
  plainColumn("licence", t("Licence"), ({ licence }) => licence, {
    reason: t("Neither the model file nor the server’s model list states this."),
  }),
  digestColumn("digest", t("Digest"), ({ digest }) => digest),
];

/** What one model server has. */
function ModelTable({ name, label, items }: { name: string; label: string; items: ModelInfo[] }) {
  return (
    <DataTable
      name={`models-${name}`}
      label={label}
      columns={COLUMNS}
      rows={items}
      keyOf={({ name }) => name}
      isShort={items.length <= SHORT}
    />
  );
}

/** Have the model server download a model, with the bytes counted. */
const PullModel = forRole("admin", function PullModel() {
  const [name, setName] = useState("");
  const [wanted, setWanted] = useState("");
  const pull = usePullModel();
  const job = useJob({
    changes: ["models"],
    onDone: () => {
      showDone(t("Model {name} pulled", { name: wanted }));
      setName("");
    },
  });
  const submit = () => {
    setWanted(name.trim());
    void job.begin(pull.mutateAsync({ body: { name: name.trim() } }));
  };
  const problem = pull.error instanceof Problem ? pull.error : job.problem;
  const busy = pull.isPending || job.isBusy;
  return (
    <Stack gap="xs">
      <Form onSubmit={submit}>
        <Group align="flex-start" gap="xs">
          <TextInput
            label={t("Model name")}
            description={t("Name and tag in the Ollama registry. The model server downloads the model.")}
            placeholder="mistral:7b"
            {...bindText(name, setName)}
            error={problem?.fields.name}
            autoComplete="off"
            spellCheck={false}
          />
          <Box mt={25}>
            <SendButton
              type="submit"
              variant="default"
              missing={name.trim() === "" ? t("Enter the name of a model.") : null}
              loading={busy}
            >
              {t("Pull model")}
            </SendButton>
          </Box>
        </Group>
      </Form>
      {job.running && <Bytes name={wanted} job={job.running} />}
      {problem && !problem.fields.name && <ProblemNotice error={problem} title={t("Model not pulled")} />}
    </Stack>
  );
});

function Bytes({ name, job: { done, total, message } }: { name: string; job: Job }) {
  const text =
    total > 0
      ? t("{name}: {done} of {total}", { name, done: formatBytes(done), total: formatBytes(total) })
      : t("{name}: contacting the registry", { name });
  return (
    <Stack gap={4}>
      <Quiet title={message}>{text}</Quiet>
      <Progress value={total > 0 ? (100 * done) / total : 100} animated={total === 0} aria-label={text} />
    </Stack>
  );
}
