import {
  Button,
  Group,
  PasswordInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useState } from "react";
import { Problem } from "@/api/problem";
import { useConnectServer, useTestServer } from "@/api/system";
import type { ModelServer, NewConnection } from "@/api/types";
import { bindText } from "@/components/fields";
import { Note } from "@/components/Note";
import { showDone } from "@/components/notices";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { ServerText } from "@/components/ServerText";
import { useTexts } from "@/components/useTexts";
import { t } from "@/words";

type Kind = NewConnection["kind"];
/** Every kind that the server knows has a label here and a placeholder below: the compiler names a missing one. */
const KINDS: Record<Kind, string> = {
  openai: t("OpenAI-compatible"),
  ollama: "Ollama",
  outside: t("RAG system"),
};

const EMPTY = { name: "", url: "", api_key: "", key_variable: "" };
const PLACEHOLDERS: Record<Kind, string> = {
  openai: "http://127.0.0.1:8080/v1",
  ollama: "http://127.0.0.1:11434",
  outside: "http://127.0.0.1:8000/ask",
};

const ABOUT: Partial<Record<Kind, string>> = {
  openai: t("API of vLLM, llama.cpp, LM Studio and others."),
  outside: t("Receives each question by POST and returns its answer and passages as JSON."),
};

const PLACES = [
  ["question", t("Question, in the request"), "/question"],
  ["answer", t("Answer, in the reply"), "/answer"],
  ["passages", t("List of passages, in the reply"), "/passages"],
  ["text", t("Text, in a passage"), "/text"],
  ["document", t("Document, in a passage"), "/document"],
  ["score", t("Score, in a passage"), "/score"],
] as const;
type Places = Partial<Record<(typeof PLACES)[number][0], string>>;

/** Connect a model server: test it, then keep it with its key. */
export function ConnectServer({ onConnected }: { onConnected?: (name: string) => void }) {
  const [kind, setKind] = useState<Kind>("openai");
  const [places, setPlaces] = useState<Places>({});
  const test = useTestServer();
  const connect = useConnectServer();
  const last = connect.error ?? test.error;
  const problem = last instanceof Problem ? last : null;
  const forget = () => {
    test.reset();
    connect.reset();
  };
  const { texts: typed, field, clear } = useTexts(EMPTY, last, forget);
  const hasKey = kind !== "ollama";
  const named = Object.entries(places).filter(([, pointer]) => pointer !== "");
  const body = {
    name: typed.name.trim(),
    url: typed.url.trim(),
    kind,
    ...(hasKey && typed.api_key ? { api_key: typed.api_key } : {}),
    ...(hasKey && typed.key_variable ? { key_variable: typed.key_variable.trim() } : {}),
    ...(kind === "outside" && named.length > 0 ? { places: Object.fromEntries(named) } : {}),
  };
  const submit = async () => {
    const kept = await connect.mutateAsync({ body }).catch(() => null);
    if (!kept) return;
    showDone(t("{name} connected", { name: kept.name }));
    clear();
    setPlaces({});
    test.reset();
    onConnected?.(kept.name);
  };
  const isWhole = body.name !== "" && body.url !== "";
  return (
    // The form may stand inside another one: what is typed here must not start a sweep.
    <Stack
      component="section"
      aria-label={t("Connect a model server")}
      gap="md"
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        if (isWhole && event.target.type !== "radio") void submit();
      }}
    >
      <Group>
        <SegmentedControl
          size="xs"
          orientation="horizontal"
          aria-label={t("Kind of server")}
          value={kind}
          onChange={(value) => {
            forget();
            setKind(value as Kind);
          }}
          data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
        />
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <TextInput
          label={t("Address")}
          description={ABOUT[kind]}
          placeholder={PLACEHOLDERS[kind]}
          spellCheck={false}
          {...field("url")}
        />
        <TextInput
          label={t("Name of the connection")}
          description={t("Letters, digits, “-”, “_” and “.”, for example “lab”.")}
          spellCheck={false}
          {...field("name")}
        />
        {hasKey && (
          <>
            <PasswordInput
              label={t("API key")}
              description={t("Optional. Stored encrypted and never shown again.")}
              disabled={typed.key_variable !== ""}
              {...field("api_key")}
              autoComplete="new-password"
            />
            <TextInput
              label={t("Environment variable with the key")}
              description={t(
                "Instead of a stored key, for example PASSER_KEY_LAB. The address of the server must be in PASSER_KEY_LAB_URL.",
              )}
              disabled={typed.api_key !== ""}
              spellCheck={false}
              {...field("key_variable")}
            />
          </>
        )}
      </SimpleGrid>
      {kind === "outside" && (
        <PlaceFields
          places={places}
          problems={problem?.fields ?? {}}
          onChange={(changed) => {
            forget();
            setPlaces(changed);
          }}
        />
      )}
      {test.data && !connect.error && <Found server={test.data} />}
      {problem && Object.keys(problem.fields).length === 0 && (
        <ProblemNotice error={problem} title={t("Not connected")} />
      )}
      <Group>
        <Button type="button" loading={connect.isPending} disabled={!isWhole} onClick={() => void submit()}>
          {t("Connect server")}
        </Button>
        <Button
          type="button"
          variant="default"
          loading={test.isPending}
          disabled={body.url === ""}
          onClick={() => {
            connect.reset();
            test.mutate({ body: { ...body, name: body.name || "test" } });
          }}
        >
          {t("Test")}
        </Button>
      </Group>
    </Stack>
  );
}

interface PlaceProps {
  places: Places;
  problems: Readonly<Record<string, string>>;
  onChange: (places: Places) => void;
}

/** Where a system that was not made for PaSSER has what is read. */
function PlaceFields({ places, problems, onChange }: PlaceProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Stack gap="xs" align="flex-start">
      <Button variant="subtle" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t("Names of the JSON fields")}
      </Button>
      {isOpen && (
        <>
          <Quiet>{t("JSON Pointers, for example /data/answer. Empty fields use the usual names.")}</Quiet>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" w="100%">
            {PLACES.map(([name, label, usual]) => (
              <TextInput
                key={name}
                label={label}
                placeholder={usual}
                spellCheck={false}
                autoComplete="off"
                {...bindText(places[name] ?? "", (value) => onChange({ ...places, [name]: value.trim() }))}
                error={problems[`places.${name}`]}
              />
            ))}
          </SimpleGrid>
        </>
      )}
    </Stack>
  );
}

/** What the server answered. */
function Found({ server: { models, problem } }: { server: ModelServer }) {
  if (problem != null) {
    return (
      <Note tone="warn" role="alert" title={t("Test failed")}>
        <ServerText text={problem} />
      </Note>
    );
  }
  return (
    <Note role="status">
      <Text size="sm">
        {t("The server responded with {count, plural, one {# model} other {# models}}: {names}", {
          count: models.length,
          names:
            models
              .slice(0, 5)
              .map(({ name }) => name)
              .join(", ") + (models.length > 5 ? ", …" : ""),
        })}
      </Text>
    </Note>
  );
}
