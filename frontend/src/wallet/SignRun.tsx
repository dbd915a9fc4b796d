import { useQuery } from "@tanstack/react-query";
import { ledgerQueries } from "@/api/system";
import { SignEntries } from "./SignEntries";
import { openChain } from "./types";

interface Props {
  run: string;
  /** Entries of the run that wait. */
  waiting: number;
}

/** What waits of one run, to be signed; nothing where nothing is signed in a browser. */
export function SignRun({ run, waiting }: Props) {
  const { data } = useQuery(ledgerQueries.wallet());
  const chain = data ? openChain(data) : null;
  return chain && <SignEntries chain={chain} waiting={waiting} run={run} />;
}
