import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { Problem } from "@/api/problem";
import { t } from "@/words";
import { ButtonLink } from "./links";
import { Note } from "./Note";
import { PageHead } from "./PageHead";
import { ProblemNotice } from "./ProblemNotice";
import type { Queried } from "./QueryState";
import { ServerText } from "./ServerText";
import { Waiting } from "./Waiting";

interface Props {
  error: unknown;
  onRetry: () => void;
}

/** In place of a page whose subject could not be had: gone for good, with the way back, or only for now. */
export function NoPage({ error, onRetry }: Props) {
  const problem = error instanceof Problem ? error : null;
  // Nothing is wrong with a page that waits for its server.
  const waiting = problem?.isOffline ? t("Loading") : t("Page error");
  return (
    <>
      <PageHead
        title={problem?.isMissing ? t("Page not found") : waiting}
        lead={
          problem?.isMissing && (
            <span role="alert">
              <ServerText text={problem.message} />
            </span>
          )
        }
      />
      <Stack align="flex-start" gap="md">
        {!problem?.isMissing && <ProblemNotice error={error} onRetry={onRetry} />}
        <ButtonLink to="/" variant="default">
          {t("Show sweeps")}
        </ButtonLink>
      </Stack>
    </>
  );
}

/** In place of a page while its subject is loaded, and where it could not be had. */
export function PageState({ query, height }: { query: Queried; height: number }) {
  if (query.isPending) return <Waiting height={height} />;
  return <NoPage error={query.error} onRetry={query.refetch} />;
}

function Refused({ title, reason, children }: { title: string; reason: string; children: ReactNode }) {
  return (
    <>
      <PageHead title={title} />
      <Stack align="flex-start" gap="md">
        <Note>{reason}</Note>
        {children}
      </Stack>
    </>
  );
}

/** Shown to an account without a project instead of every page but its own. */
export function OutsidePage() {
  return (
    <Refused
      title={t("No project")}
      reason={t(
        "Your account is not a member of a project, so it can see and do nothing. Ask an administrator of this PaSSER to add it to one. Then you are asked to sign in again.",
      )}
    >
      <ButtonLink to="/account" variant="default">
        {t("Show account")}
      </ButtonLink>
    </Refused>
  );
}

/** Shown instead of a page that the reader's role cannot use; `title` is that of the page. */
export function ClosedPage({ title = t("Not available with your role") }: { title?: string }) {
  return (
    <Refused
      title={title}
      reason={t(
        "Viewers read everything, but start and change nothing. This page needs the role of a researcher. An administrator can change your role.",
      )}
    >
      <ButtonLink to="/" variant="default">
        {t("Show sweeps")}
      </ButtonLink>
    </Refused>
  );
}
