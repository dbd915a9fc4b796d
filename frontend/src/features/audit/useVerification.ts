import { useEffect, useRef, useState } from "react";
import { useKept } from "@/components/useKept";
import { type Verification, verify } from "@/verify";

export type State =
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
export function useVerification(): [State, (file: File) => Promise<void>] {
  const [state, setState] = useState<State>({ kind: "nothing" });
  const [checked, setChecked] = useKept<File | null>("audit", null);
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
