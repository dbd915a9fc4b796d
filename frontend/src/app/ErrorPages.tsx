import { Button, Stack } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { answers } from "@/api/chunks";
import { Problem } from "@/api/problem";
import { ButtonLink } from "@/components/links";
import { NoPage } from "@/components/NoPage";
import { PageHead } from "@/components/PageHead";
import { t } from "@/words";

export function MissingPage(): ReactNode {
  return (
    <Stack align="flex-start" gap="sm">
      <PageHead
        title={t("Page not found")}
        lead={t("The item may have been deleted, or the address is incomplete.")}
      />
      <ButtonLink to="/" variant="default">
        {t("Show sweeps")}
      </ButtonLink>
    </Stack>
  );
}

export function CrashPage({ error }: { error: unknown }): ReactNode {
  if (error instanceof Problem && error.isOffline) return <LostPage problem={error} />;
  return (
    <Stack align="flex-start" gap="sm" role="alert">
      <PageHead
        title={t("Page error")}
        lead={t(
          "The page failed unexpectedly. Your data on the server is not affected. Reload the page to continue.",
        )}
      />
      <Button variant="default" onClick={() => window.location.reload()}>
        {t("Reload page")}
      </Button>
    </Stack>
  );
}

const PROBE_MS = 2000;

/** In place of a page whose code could not be loaded: it comes by itself once the server answers again. */
function LostPage({ problem }: { problem: Problem }) {
  useEffect(() => {
    let wasAway = false;
    const probe = setInterval(async () => {
      if (!(await answers())) wasAway = true;
      // Where the server was never away, reloading would fail for ever: that is left to the reader.
      else if (wasAway) window.location.reload();
    }, PROBE_MS);
    return () => clearInterval(probe);
  }, []);
  const retry = async () => {
    // A reload without a server would put the browser's own error page here.
    if (await answers()) window.location.reload();
  };
  return <NoPage error={problem} onRetry={retry} />;
}
