import { Button, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { judgingQueries } from "@/api/judging";
import type { SweepDetail } from "@/api/types";
import { ForRole, useMay } from "@/components/ForRole";
import { AssessmentSelect } from "@/components/judging/AssessmentSelect";
import { SmallLink } from "@/components/links";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { useFormState } from "@/components/useFormState";
import { t } from "@/words";
import { AssessmentPanel } from "./AssessmentPanel";
import { type Begun, NewAssessment } from "./NewAssessment";
import { useMatrixView } from "./useMatrix";

/** Answers judged by models: a new assessment, and the results of one that was made. */
export function Judged({ sweep }: { sweep: SweepDetail }) {
  const query = useQuery(judgingQueries.list(sweep.id));
  const { assessment: chosen, change } = useMatrixView();
  const may = useMay();
  const [isNew, setNew] = useFormState("assessment.open", false);
  const [begun, setBegun] = useFormState<Begun | undefined>("assessment.begun", undefined);
  if (!query.data) return <QueryState query={query} height={240} />;
  const { items } = query.data;
  const shown = items.find(({ assessment }) => assessment.id === chosen) ?? items[0];
  const isForm = isNew || items.length === 0;
  const start = (id: string) => {
    setNew(false);
    setBegun(undefined);
    void change({ assessment: id });
  };
  return (
    <Stack gap="md">
      <Quiet>
        {t(
          "A judge is a model that grades each answer. Grades depend on the judge; compare them with your own ratings before you rely on them.",
        )}{" "}
        <ForRole>
          <SmallLink to="/arena" search={{ sweep: sweep.id, by: "people" }} underline="always">
            {t("Have people compare answers without a judge")}
          </SmallLink>
        </ForRole>
      </Quiet>
      <AssessmentSelect items={items} shown={shown} onChange={(id) => change({ assessment: id })} />
      {shown && (
        <AssessmentPanel
          key={shown.assessment.id}
          id={shown.assessment.id}
          sweep={sweep}
          others={items.filter((each) => each !== shown)}
          onUse={(given) => {
            setBegun(given);
            setNew(true);
          }}
        />
      )}
      <ForRole>
        {" "}
        {isForm ? (
          <NewAssessment
            // Another task, and other key facts, begin another form.
            key={begun && JSON.stringify(begun)}
            sweep={sweep}
            {...(begun && shown ? { begun, judge: shown.assessment.spec.judge.model } : {})}
            onStarted={start}
          />
        ) : (
          <Button variant="default" onClick={() => setNew(true)} style={{ alignSelf: "flex-start" }}>
            {t("New assessment")}
          </Button>
        )}
      </ForRole>
      {!may && items.length === 0 && <Quiet>{t("No assessments yet.")}</Quiet>}{" "}
    </Stack>
  );
}
