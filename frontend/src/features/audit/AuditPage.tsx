import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { Command } from "@/components/Command";
import { FileDrop } from "@/components/material/FileDrop";
import { Note } from "@/components/Note";
import { PageHead } from "@/components/PageHead";
import { Said } from "@/components/Said";
import { canDigest } from "@/verify";
import { t } from "@/words";
import { LedgerPanel } from "./LedgerPanel";
import { LedgerRowsPanel } from "./LedgerRowsPanel";
import { Result } from "./Result";
import { RunEntriesPanel } from "./RunEntriesPanel";
import { useVerification } from "./useVerification";

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
        {state.kind === "no bundle" && (
          <Note tone="bad" title={t("Not a bundle")} role="alert">
            {`${state.name}. `}
            <Said
              text={t(
                "Choose a .zip saved from the page of a run or sweep, or written by `passer bundle` or `passer publish`.",
              )}
            />
          </Note>
        )}
        {state.kind === "failed" && (
          <Note tone="bad" title={t("File not checked")} role="alert">
            {`${state.name}. `}
            <Said text={t("Choose the file again, or run `passer verify`.")} />
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
