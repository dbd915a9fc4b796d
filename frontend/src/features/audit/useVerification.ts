import { useRef, useState } from "react";
import { type Verification, verify } from "@/verify";

export type State =
  | { kind: "nothing" | "checking" }
  | { kind: "no bundle" | "failed"; name: string }
  | { kind: "found"; name: string; found: Verification };

/** Lets the browser draw. */
const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

async function looked(file: File): Promise<State> {
  const { name } = file;
  try {
    const found = await verify(new Uint8Array(await file.arrayBuffer()), pause);
    return found ? { kind: "found", name, found } : { kind: "no bundle", name };
  } catch {
    // The browser could not read or hold the file.
    return { kind: "failed", name };
  }
}

/** Verifies one file after the other, here in the browser; the last one that was given counts. */
export function useVerification(): [State, (file: File) => Promise<void>] {
  const [state, setState] = useState<State>({ kind: "nothing" });
  const last = useRef<File | null>(null);
  const check = async (file: File) => {
    last.current = file;
    setState({ kind: "checking" });
    const next = await looked(file);
    if (last.current === file) setState(next);
  };
  return [state, check];
}
