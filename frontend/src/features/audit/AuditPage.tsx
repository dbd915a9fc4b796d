import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ledgerQueries } from "@/api/system";
import { Command } from "@/components/Command";
import { Facts } from "@/components/Facts";
import { Moment } from "@/components/Moment";
import { FileDrop } from "@/components/material/FileDrop";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { ServerText } from "@/components/ServerText";
import { useFormState } from "@/components/useFormState";
import { canDigest, type Verification, verify } from "@/verify";
import { t } from "@/words";
import { LedgerRowsPanel } from "./LedgerRowsPanel";
import { Result } from "./Result";
import { RunEntriesPanel } from "./RunEntriesPanel";

/** A bundle is checked in the browser; below it what this installation's ledger holds. */
export function AuditPage(): ReactNode {
  const [state, check] = useVerification();
  return (
    <>
      <PageHead
        title={t("Audit")}
        lead={t(
          "Verify a run from its bundle, or a study. The file is checked in your browser and is not sent anywhere.",
        )}
      />
      <Stack gap="lg">
        {canDigest() ? (
          <FileDrop
            label={t("Drop a bundle or study here, or choose a file")}
            hint={t(
              "The .zip saved from the page of a run or sweep, or written by `passer bundle` or `passer publish`.",
            )}
            multiple={false}
            loading={state.kind === "checking"}
            onFiles={([file]) => {
              if (file) void check(file);
            }}
          />
        ) : (
          <Note tone="warn" title={t("Verification not available in this browser")}>
            {t(
              "Browsers compute digests only on localhost or over HTTPS. Open this page that way, or run this command.",
            )}
            <Command text="passer verify BUNDLE" />
          </Note>
        )}
        {(state.kind === "no bundle" || state.kind === "failed") && (
          <Note tone="bad" title={UNREAD[state.kind].title} role="alert">
            {`${state.name}. `}
            <ServerText text={UNREAD[state.kind].text} />
          </Note>
        )}
        {state.kind === "found" && <Result name={state.name} found={state.found} />}
        <LedgerPanel />
        <RunEntriesPanel />
        <LedgerRowsPanel />
      </Stack>
    </>
  );
}

const UNREAD = {
  "no bundle": {
    title: t("Not a bundle"),
    text: t(
      "Choose a .zip saved from the page of a run or sweep, or written by `passer bundle` or `passer publish`.",
    ),
  },
  failed: { title: t("File not checked"), text: t("Choose the file again, or run `passer verify`.") },
};

type State =
  | { kind: "nothing" | "checking" }
  | { kind: "no bundle" | "failed"; name: string }
  | { kind: "found"; name: string; found: Verification };

/** Undefined where the browser could not read or hold the file, null where it is no bundle. */
type Told = Verification | null | undefined;

/** Verifies in a worker of its own, which is ended with the signal; in the page where there are no workers. */
function told(file: File, signal: AbortSignal): Promise<Told> {
  if (typeof Worker === "undefined") return toldHere(file);
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./verification.worker.ts", import.meta.url), { type: "module" });
    const end = (found: Told) => {
      worker.terminate();
      resolve(found);
    };
    signal.addEventListener("abort", () => end(undefined));
    worker.onmessage = ({ data }: MessageEvent<{ found: Told }>) => end(data.found);
    worker.onerror = () => end(undefined);
    worker.postMessage(file);
  });
}

async function toldHere(file: File): Promise<Told> {
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve));
  try {
    return await verify(new Uint8Array(await file.arrayBuffer()), pause);
  } catch {
    return undefined;
  }
}

function stateOf(name: string, found: Told): State {
  if (found) return { kind: "found", name, found };
  return { kind: found === null ? "no bundle" : "failed", name };
}

/** Verifies one file after the other, here in the browser; the last one that was given counts. */
function useVerification(): [State, (file: File) => Promise<void>] {
  const [state, setState] = useState<State>({ kind: "nothing" });
  const [checked, setChecked] = useFormState<File | null>("audit", null);
  const last = useRef<AbortController | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, where the page came again with a file
  useEffect(() => {
    if (checked) void check(checked);
    return () => last.current?.abort();
  }, []);
  const check = async (file: File) => {
    setChecked(file);
    last.current?.abort();
    last.current = new AbortController();
    const { signal } = last.current;
    setState({ kind: "checking" });
    const found = await told(file, signal);
    if (!signal.aborted) setState(stateOf(file.name, found));
  };
  return [state, check];
}

const KINDS = { local: t("Local hash chain"), antelope: t("Antelope blockchain") };

/** The head of this installation's ledger, and what it proves. */
function LedgerPanel() {
  const query = useQuery(ledgerQueries.head());
  const { data } = query;
  return (
    <Panel title={t("Ledger of this installation")}>
      <QueryState query={query} height={120} />
      {data && (
        <Stack gap="sm">
          <Facts
            facts={[
              [t("Kind"), KINDS[data.kind]],
              [t("Location"), data.place],
              [t("Entries"), data.entries === null ? t("not counted") : formatCount(data.entries)],
              [t("Head"), data.digest ? <code key="head">{data.digest}</code> : t("empty")],
              [t("Created", {}, "ledger"), data.at ? <Moment key="at" at={data.at} /> : t("empty")],
            ]}
          />
          <Text size="sm">
            <b>{t("Proves")}:</b> <ServerText text={data.proves} />
          </Text>
          <Text size="sm">
            <b>{t("Does not prove")}:</b> <ServerText text={data.proves_not} />
          </Text>
        </Stack>
      )}
    </Panel>
  );
}
