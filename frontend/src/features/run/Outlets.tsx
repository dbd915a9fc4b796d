import { Button } from "@mantine/core";
import { inProject } from "@/api/project";
import type { Run } from "@/api/types";
import { ButtonLink } from "@/components/links";
import { t } from "@/words";

interface Props {
  run: Run;
  baseline: Run | undefined;
}

/** Links of a run: comparison with its baseline, and its bundle. */
export function Outlets({ run, baseline }: Props) {
  const isCompared = baseline && baseline.id !== run.id && run.counts.scored > 0;
  const bundle = inProject(`/api/v1/runs/${encodeURIComponent(run.id)}/bundle`);
  return (
    <>
      {isCompared && (
        <ButtonLink
          to="/compare"
          search={{ runs: `${baseline.id}~${run.id}`, baseline: baseline.id }}
          variant="default"
        >
          {t("Compare with baseline")}
        </ButtonLink>
      )}
      {run.state === "finished" && (
        <>
          <Button
            component="a"
            variant="default"
            href={bundle}
            download
            title={t(
              "The run with its manifest, evidence and proofs in one zip file that anyone can verify.",
            )}
          >
            {t("Save bundle")}
          </Button>
          <Button
            component="a"
            variant="default"
            href={`${bundle}?texts=false`}
            download
            title={t(
              "A bundle without questions, references and answers. Their digests and scores can be verified, but nobody can compute the scores again.",
            )}
          >
            {t("Save without texts")}
          </Button>
        </>
      )}
    </>
  );
}
