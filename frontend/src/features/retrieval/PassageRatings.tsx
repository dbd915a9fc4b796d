import { Button, SegmentedControl, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { retrievalQueries, useRatePassage } from "@/api/retrieval";
import { accountQueries } from "@/api/session";
import type { QuestionRequest, RankingParts, RetrievedPassage } from "@/api/types";
import { bindText } from "@/components/fields";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import classes from "./retrieval.module.css";

/** The scale of UMBRELA. */
const GRADES = [
  { value: "0", label: t("0 unrelated") },
  { value: "1", label: t("1 related") },
  { value: "2", label: t("2 part of the answer") },
  { value: "3", label: t("3 whole answer") },
];

interface Props {
  body: QuestionRequest;
  rankings: RankingParts[];
}

/** The passages that any retriever found for a question, rated by a person; neither ranks nor retrievers are shown. */
export function PassageRatings({ body, rankings }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const session = useQuery(accountQueries.session());
  // Who is signed in rates under the name of the account.
  const rater = session.data?.account ?? name.trim();
  const { dataset, question_id, collection } = body;
  const known = useQuery({ ...retrievalQueries.ratings(dataset, question_id, collection), enabled: isOpen });
  const rate = useRatePassage(body.qrels === known.data?.name);
  const passages = passagesOf(rankings);
  if (!isOpen) {
    return (
      <Button variant="default" onClick={() => setOpen(true)} style={{ alignSelf: "flex-start" }}>
        {t("Rate these passages")}
      </Button>
    );
  }
  return (
    <Stack component="section" gap="md" aria-label={t("Rate these passages")}>
      <Title order={3} size="h4">
        {t("Rate these passages")}
      </Title>
      <Text size="sm">
        {t(
          "How well does each passage answer the question? Ratings are saved at once. They measure retrievers when you choose {name} under Relevance; several raters count by their lower median.",
          { name: known.data?.name ?? "" },
        )}
      </Text>
      {session.data && !session.data.account && (
        <TextInput label={t("Name of the rater")} {...bindText(name, setName)} maxLength={100} maw={420} />
      )}
      <ProblemNotice error={rate.error} />
      {passages.map((passage) => (
        <Rated
          key={passage.id}
          passage={passage}
          grade={known.data?.grades[passage.id]}
          disabled={rater === ""}
          onRate={(grade) =>
            rate.mutate({ body: { dataset, question_id, collection, passage_id: passage.id, rater, grade } })
          }
        />
      ))}
    </Stack>
  );
}

interface RatedProps {
  passage: RetrievedPassage;
  grade: number | undefined;
  disabled: boolean;
  onRate: (grade: number) => void;
}

function Rated({ passage, grade, disabled, onRate }: RatedProps) {
  const name = `${passage.document} #${passage.number}`;
  return (
    <section aria-label={name} className={classes.rated}>
      <Quiet>{name}</Quiet>
      <Text className="written" size="sm">
        {passage.text}
      </Text>
      <SegmentedControl
        aria-label={t("Grade of {name}", { name })}
        data={GRADES}
        value={grade === undefined ? "" : String(grade)}
        onChange={(value) => onRate(Number(value))}
        disabled={disabled}
        className={classes.grades}
        size="xs"
      />
    </section>
  );
}

/** Each passage once, by document and place, so that the order says nothing of a retriever. */
function passagesOf(rankings: RankingParts[]): RetrievedPassage[] {
  const found = new Map(
    rankings.flatMap(({ passages }) => passages.map(({ passage }) => [passage.id, passage] as const)),
  );
  return [...found.values()].sort(
    (one, other) => one.document.localeCompare(other.document) || one.number - other.number,
  );
}
