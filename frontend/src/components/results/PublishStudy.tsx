import { Button, Checkbox, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { settingQueries } from "@/api/settings";
import { ledgerQueries } from "@/api/system";
import type { PublishedStudy } from "@/api/types";
import { Confirm } from "@/components/Confirm";
import { Digest } from "@/components/Digest";
import { bindTick } from "@/components/fields";
import { FileLink, SmallLink } from "@/components/links";
import { Moment } from "@/components/Moment";
import { Note } from "@/components/Note";
import { ProblemNotice } from "@/components/ProblemNotice";
import { useTexts } from "@/components/useTexts";
import { t } from "@/words";

const NOTHING = { title: "", authors: "", licence: "" };

interface Props {
  /** Id of what is published. */
  id: string;
  /** Name of what is published: the usual title. */
  name: string;
  label: string;
  text: string;
  /** True where prompts can be published. */
  hasPrompts?: boolean;
  publish: {
    isPending: boolean;
    error: unknown;
    data: PublishedStudy | undefined;
    reset: () => void;
  };
  onPublish: (
    body: {
      title: string | null;
      authors: string[];
      licence: string | null;
      texts: boolean;
      prompts: boolean;
    },
    stamp: boolean,
  ) => void;
}

/** What becomes public with a study, in a sentence. */
function contentOf(texts: boolean, prompts: boolean): string {
  if (!texts) return t("The study contains scores, tables and digests, but no texts.");
  return prompts
    ? t("The study contains questions, references, answers, and all prompts with the texts of the passages.")
    : t("The study contains questions, references and answers.");
}

/** Enters a study in the ledger, and offers it as one file; asks once, because the ledger keeps each entry for ever. */
export function PublishStudy({
  id,
  name: subject,
  label,
  text,
  hasPrompts = false,
  publish,
  onPublish,
}: Props) {
  const [asking, question] = useDisclosure();
  const [stamp, setStamp] = useState(false);
  const [texts, setTexts] = useState(true);
  const [chosen, setChosen] = useState(false);
  const prompts = chosen && texts;
  const settings = useQuery(settingQueries.list());
  const studies = useQuery(ledgerQueries.studies(id)).data?.items ?? [];
  const earlier = studies.filter(({ digest }) => digest !== publish.data?.digest);
  const hasAuthority = settings.data?.items.some(
    ({ name, value }) => name === "timestamp_url" && value != null,
  );
  const { texts: typed, field } = useTexts(NOTHING, publish.error, publish.reset);
  const tick = (isTicked: boolean, set: (isTicked: boolean) => void) =>
    bindTick(isTicked, (isTicked) => {
      publish.reset();
      set(isTicked);
    });
  const authors = typed.authors
    .split(";")
    .map((name) => name.trim())
    .filter(Boolean);
  const title = typed.title.trim() || null;
  const licence = typed.licence.trim() || null;
  const send = () => {
    question.close();
    onPublish({ title, authors, licence, texts, prompts }, stamp);
  };
  return (
    <Stack component="section" aria-label={label} gap="xs">
      <Text maw="44rem">{text}</Text>
      {earlier.length > 0 && <EarlierStudies studies={earlier} />}
      <TextInput maw="44rem" label={t("Title")} placeholder={subject} {...field("title")} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} maw="44rem">
        <TextInput label={t("Authors")} description={t("Separated by semicolons.")} {...field("authors")} />
        <TextInput
          label={t("Licence")}
          description={t("SPDX identifier of the licence, for example CC-BY-4.0.")}
          placeholder="CC-BY-4.0"
          {...field("licence")}
        />
      </SimpleGrid>
      <Checkbox
        label={t("Include questions, references and answers")}
        description={t(
          "Without these texts, the table and the verdict can still be computed again, but nobody can compute the scores again.",
        )}
        {...tick(texts, setTexts)}
      />
      {hasPrompts && (
        <Checkbox
          label={t("Include prompts with the texts of the passages")}
          description={t(
            "Every prompt as the model received it. Check that the licence of the documents allows this.",
          )}
          disabled={!texts}
          {...tick(prompts, setChosen)}
        />
      )}
      {hasAuthority && (
        <Checkbox
          label={t("Add a time stamp")}
          description={t(
            "The time stamp authority of the project certifies that the study exists now. It learns digests only.",
          )}
          {...tick(stamp, setStamp)}
        />
      )}
      <Group>
        {/* The same study has one entry: only other values can be published after it. */}
        <Button loading={publish.isPending} disabled={publish.data !== undefined} onClick={question.open}>
          {t("Publish study")}
        </Button>
      </Group>
      <Confirm
        isOpen={asking}
        title={t("Publish “{title}”?", { title: title ?? subject })}
        text={`${contentOf(texts, prompts)} ${
          earlier.length > 0
            ? t(
                "The ledger already has {count, plural, one {# earlier entry, which stays} other {# earlier entries, which stay}}. Another one is added if the title or anything else in the study has changed. This cannot be undone.",
                { count: earlier.length },
              )
            : t(
                "Its digest is entered in the ledger. This cannot be undone. Publishing it later with other values adds a second entry.",
              )
        }`}
        keep={t("Cancel", {}, "dialog")}
        confirm={t("Publish study")}
        onConfirm={send}
        onClose={question.close}
      />
      <ProblemNotice error={publish.error} />
      {publish.data && (
        <Note title={t("Study published")} role="status">
          <Stack gap={4} align="flex-start">
            <Text size="sm" style={{ overflowWrap: "anywhere" }}>
              {t("Study digest: {digest}", { digest: publish.data.digest })}
            </Text>
            <SaveStudy digest={publish.data.digest} />
          </Stack>
        </Note>
      )}
    </Stack>
  );
}

/** What the ledger has already, so that nobody publishes a second study without knowing of the first. */
function EarlierStudies({ studies }: { studies: PublishedStudy[] }) {
  return (
    <Note title={t("Published before")}>
      <Stack gap={4} align="flex-start">
        {studies.map(({ digest, title, recorded_at, testid, is_kept }) => (
          <Text key={digest} size="sm" style={{ overflowWrap: "anywhere" }}>
            <SmallLink to="/audit" search={{ of: testid }}>
              {title ?? t("Title not known")}
            </SmallLink>
            {", "}
            <Moment at={recorded_at} />
            {", "}
            <Digest value={digest} />
            {is_kept && (
              <>
                {", "}
                <SaveStudy digest={digest} />
              </>
            )}
          </Text>
        ))}
        <Text size="sm">
          {t(
            "Publishing again adds an entry if the title or anything else in the study has changed. Earlier entries stay in the ledger.",
          )}
        </Text>
      </Stack>
    </Note>
  );
}

function SaveStudy({ digest }: { digest: string }) {
  return <FileLink address={`/api/v1/studies/${digest}`}>{t("Save study")}</FileLink>;
}
