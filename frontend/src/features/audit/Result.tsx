import { Stack, Text } from "@mantine/core";
import { Command } from "@/components/Command";
import { retrievalOf } from "@/components/evaluation/policy";
import { Facts, type PossibleFact } from "@/components/Facts";
import { SmallLink } from "@/components/links";
import { Note } from "@/components/Note";
import { formatCount, formatInterval } from "@/components/numbers/format";
import { formatGain, isInPoints } from "@/components/numbers/metricFormat";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import type { StudyConclusion, StudyResult, Verification, VerifiedStudy } from "@/verify";
import { t } from "@/words";
import { localised } from "@/words/count";
import { StepTable } from "./StepTable";

interface Props {
  /** Name of the file. */
  name: string;
  found: Verification;
}

/** What was found out about a bundle. */
export function Result({ name, found }: Props) {
  const failed = found.steps.filter(({ outcome }) => outcome === "fail").length;
  const holds = found.verdict === "verified";
  return (
    <>
      {holds ? (
        <Note title={t("Verified")} role="status">
          {said(name, found)}
        </Note>
      ) : (
        <Note tone="bad" title={t("Not verified")} role="alert">
          {t("{name}: {failed, plural, one {# check} other {# checks}} failed.", { failed, name })}{" "}
          {t(
            "Do not use its numbers. Ask its publisher for the original file, and send the failed checks, which are the first ones below.",
          )}
        </Note>
      )}
      {found.study ? (
        <StudyFacts study={found.study} questions={found.questions} />
      ) : (
        <RunFacts found={found} />
      )}
      <ProofFacts found={found} />
      <Panel title={t("Checks")}>
        <StepTable steps={found.steps} />
        <Quiet maw="44rem">
          {t(
            "“Verified” means that the bundle was not changed after it was created. To confirm that these are the recorded results, compare the run digest with the ledger.",
          )}
        </Quiet>
        {found.run_id !== null && (
          <SmallLink to="/audit" search={{ run: found.run_id }} resetScroll={false}>
            {t("Find this run in the ledger")}
          </SmallLink>
        )}
      </Panel>
      {holds && found.study?.of !== "import" && !isWithheld(found) && (
        <Panel title={t("Scores computed again")}>
          <Stack gap="xs">
            <Text>
              {t(
                "This command computes all 24 scores again from the recorded texts. It finds scores that were changed before the bundle was created.",
              )}
            </Text>
            <Command text={`passer verify ${name} --rescore`} />
          </Stack>
        </Panel>
      )}
      {holds && !isLocal(found) && (
        <Panel title={t("Checks that need a blockchain")}>
          <Stack gap="xs">
            <Text>
              {t(
                "This command checks signature, block and contract code against a node that the operator does not run.",
              )}
            </Text>
            <Command text={`passer verify ${name} --chain NODE --contract ACCOUNT`} />
          </Stack>
        </Panel>
      )}
    </>
  );
}

/** Whether the texts of questions and answers are withheld. */
function isWithheld({ steps }: Verification): boolean {
  return steps.some(({ why }) => why === "texts_withheld");
}

/** Whether the rows are in a local ledger, so that no node of a blockchain knows of them. */
function isLocal({ steps }: Verification): boolean {
  return steps.some(({ why }) => why === "in_a_local_ledger");
}

/** What a verified file shows. */
function said(name: string, found: Verification): string {
  if (found.study?.of === "import") {
    return t("{name}: the table and the verdict follow from {rows, plural, one {# row} other {# rows}}.", {
      rows: found.questions,
      name,
    });
  }
  if (isWithheld(found) && !found.study) {
    return t(
      "{name}: digests, counts and means follow from {questions, plural, one {# question record} other {# question records}}. Their texts are withheld.",
      { questions: found.questions, name },
    );
  }
  if (isWithheld(found)) {
    return t(
      "{name}: the table and the verdict follow from the scores of {questions, plural, one {# question record} other {# question records}}. Their texts are withheld.",
      { questions: found.questions, name },
    );
  }
  return t(
    "{name}: all {questions, plural, one {# question record matches its digest} other {# question records match their digests}}.",
    { questions: found.questions, name },
  );
}

function RunFacts({ found }: { found: Verification }) {
  return (
    <Facts
      facts={[
        [t("Run"), found.run_id ?? t("not readable")],
        [t("Questions"), formatCount(found.questions)],
        [t("Run digest"), <code key="run">{found.run_digest ?? t("not readable")}</code>],
        [t("Configuration digest"), <code key="config">{found.config_digest ?? t("not readable")}</code>],
        [t("Questions root"), <code key="root">{found.questions_root ?? t("not readable")}</code>],
      ]}
    />
  );
}

/** What somebody else must confirm of what was signed: the ledger's key, and the authority. */
function ProofFacts({ found }: { found: Verification }) {
  const factsOf = (name: string) =>
    found.steps.find((step) => step.name === name && step.outcome !== "fail")?.facts ?? [];
  const [origin, rows, key] = factsOf("checkpoint");
  const [stamps] = factsOf("stamps");
  return (
    <Facts
      facts={[
        origin && rows && [t("Ledger checkpoint"), t("{origin}, {rows} rows", { origin, rows })],
        key && [t("Ledger key (compare it with the published one)"), <code key="key">{key}</code>],
        stamps && [t("Time stamps"), stamps],
      ]}
    />
  );
}

function StudyFacts({ study, questions }: { study: VerifiedStudy; questions: number }) {
  const { result } = study;
  return (
    <Facts
      facts={[
        [t("Study"), study.title],
        ...(result ? resultFacts(result, study.of) : []),
        [study.of === "sweep" ? t("Sweep") : t("Import"), study.sweep_id],
        [
          study.of === "sweep" ? t("Runs in the table") : t("Sheets in the table"),
          t("{shown, number} of {all, number}", { all: study.runs, shown: study.in_table }),
        ],
        [
          t("Results"),
          study.standing === "confirmatory"
            ? t("Confirmatory: the plan was registered before there were results")
            : t("Exploratory: no plan was registered before there were results"),
        ],
        [t("Records"), formatCount(questions)],
        [t("Study digest"), <code key="study">{study.digest}</code>],
      ]}
    />
  );
}

/** What a verified study concludes, when and by what design. */
function resultFacts(result: StudyResult, of: VerifiedStudy["of"]): PossibleFact[] {
  const { configurations, questions, dataset, primary, conclusions } = result;
  const [margin, alpha] = [localised(result.margin), localised(result.alpha)];
  return [
    [
      t("Verdict"),
      <Stack key="verdict" gap={2}>
        {conclusions.map((each) => (
          <div key={each.model}>
            {conclusions.length > 1 && (
              <>
                <bdi>{each.model}</bdi>:{" "}
              </>
            )}
            {conclusionOf(each, result)}
          </div>
        ))}
      </Stack>,
    ],
    [
      t("Design"),
      t(
        "{configurations, plural, one {# configuration} other {# configurations}}, {questions, plural, one {# question} other {# questions}}; primary metric {primary}, margin {margin}, alpha {alpha}",
        { configurations, questions, primary, margin, alpha },
      ),
    ],
    result.settings.length > 0 && [
      t("Configurations, as the publisher names them"),
      <Stack key="settings" gap={2}>
        {result.settings.map(({ model, name, setting }) => (
          <div key={`${model} ${name} ${setting}`}>
            <bdi>{model}</bdi>: <bdi>{name}</bdi>.{" "}
            {t("Retrieval of its runs: {setting}.", { setting: retrievalOf(setting) })}
          </div>
        ))}
      </Stack>,
    ],
    // Not in a sentence with other facts: whoever made the file chose the name.
    [t("Dataset"), dataset],
    [
      of === "sweep" ? t("Planned, as the publisher states") : t("Imported, as the publisher states"),
      stated(result.planned_at),
    ],
    of === "sweep" && [t("Finished, as the publisher states"), stated(result.finished_at)],
  ];
}

/** A time as the study states it: an auditor compares it with other records, whatever the day and place. */
function stated(at: string | null): string {
  return at === null ? t("not readable") : at.replace("T", " ").replace("Z", " UTC");
}

const VERDICTS: Record<StudyConclusion["kind"], (name: string) => string> = {
  no_verdict: () => t("The results allow no verdict."),
  better: (name) => t("Recommended: {name}, which is better than the baseline.", { name }),
  as_good_cheaper: (name) =>
    t("Recommended: {name}, which is as good as the baseline and costs less.", { name }),
  cannot_tell: () => t("These questions cannot tell whether a configuration is better than the baseline."),
  keep_baseline: () =>
    t("No configuration is better than the baseline, or as good and cheaper: keep the baseline."),
};

function conclusionOf(conclusion: StudyConclusion, { primary, unchecked_judge: judge }: StudyResult): string {
  const { kind, recommended, gain, setting } = conclusion;
  const ends = formatInterval(conclusion, formatGain(primary));
  return [
    VERDICTS[kind](recommended ?? ""),
    gain !== null && ends !== null
      ? isInPoints(primary)
        ? t("Gain {gain} points ({ends}).", { gain: formatGain(primary)(gain), ends })
        : t("Gain {gain} ({ends}).", { gain: formatGain(primary)(gain), ends })
      : "",
    setting !== null ? t("Retrieval of its runs: {setting}.", { setting: retrievalOf(setting) }) : "",
    judge !== null && kind !== "no_verdict"
      ? t("Decided by judge {judge}. People have not checked its grades.", { judge })
      : "",
  ]
    .filter(Boolean)
    .join(" ");
}
