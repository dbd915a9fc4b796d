import { Stack } from "@mantine/core";
import { Problem } from "@/api/problem";
import { words } from "@/words";
import { ButtonLink } from "./links";
import { PageHead } from "./PageHead";
import { ProblemNotice } from "./ProblemNotice";

interface Props {
  error: unknown;
  onRetry: () => void;
}

/** In place of a page whose subject could not be had: gone for good, with the way back, or only for now. */
export function NoPage({ error, onRetry }: Props) {
  if (!(error instanceof Problem && error.isMissing)) {
    return <ProblemNotice error={error} onRetry={onRetry} />;
  }
  return (
    <>
      <PageHead title={words.errors.missingTitle} />
      <Stack align="flex-start" gap="md">
        <ProblemNotice error={error} />
        <ButtonLink to="/" variant="default">
          {words.errors.home}
        </ButtonLink>
      </Stack>
    </>
  );
}
