import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { Command } from "@/components/Command";
import { FileDrop } from "@/components/material/FileDrop";
import { Note } from "@/components/Note";
import { PageHead } from "@/components/PageHead";
import { canDigest } from "@/verify";
import { words } from "@/words";
import { LedgerPanel } from "./LedgerPanel";
import { LedgerRowsPanel } from "./LedgerRowsPanel";
import { Result } from "./Result";
import { RunEntriesPanel } from "./RunEntriesPanel";
import { useVerification } from "./useVerification";

const label = words.audit;

/** A bundle is checked in the browser; below it what this installation's ledger holds. */
export function AuditPage(): ReactNode {
  const [state, check] = useVerification();
  return (
    <>
      <PageHead title={label.title} lead={label.lead} />
      <Stack gap="lg">
        {canDigest() ? (
          <FileDrop
            label={label.drop}
            hint={label.dropHint}
            multiple={false}
            loading={state.kind === "checking"}
            onFiles={([file]) => {
              if (file) void check(file);
            }}
          />
        ) : (
          <Note tone="warn" title={label.noDigests}>
            {label.noDigestsText}
            <Command text="passer verify BUNDLE" />
          </Note>
        )}
        {state.kind === "no bundle" && (
          <Note tone="bad" title={label.noBundle} role="alert">
            {`${state.name}. ${label.noBundleText}`}
          </Note>
        )}
        {state.kind === "failed" && (
          <Note tone="bad" title={label.unread} role="alert">
            {`${state.name}. ${label.unreadText}`}
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
