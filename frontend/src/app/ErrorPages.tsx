import { Button, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { Problem } from "@/api/problem";
import { ButtonLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { t } from "@/words";
import { LostPage } from "./LostPage";

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
