import { Anchor, Button, Checkbox, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Problem } from "@/api/problem";
import { inProject } from "@/api/project";
import { settingQueries } from "@/api/settings";
import type { PublishedStudy } from "@/api/types";
import { Note } from "@/components/Note";
import { ProblemNotice } from "@/components/ProblemNotice";
import { t } from "@/words";

const NOTHING = { title: "", authors: "", licence: "" };

interface Props {
  /** Name of what is published: the usual title. */
  name: string;
  label: string;
  text: string;
  /** True where prompts can be published. */
  hasPrompts?: boolean;
  /** Address of the study. */
  address: string;
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

/** Enters a study in the ledger, and offers it as one file. */
export function PublishStudy({
  name: subject,
  label,
  text,
  hasPrompts = false,
  address,
  publish,
  onPublish,
}: Props) {
  const [typed, setTyped] = useState(NOTHING);
  const [stamp, setStamp] = useState(false);
  const [texts, setTexts] = useState(true);
  const [chosen, setChosen] = useState(false);
  const prompts = chosen && texts;
  const settings = useQuery(settingQueries.list());
  const hasAuthority = settings.data?.items.some(
    ({ name, value }) => name === "timestamp_url" && value != null,
  );
  const problem = publish.error instanceof Problem ? publish.error : null;
  const field = (name: keyof typeof NOTHING) => ({
    value: typed[name],
    error: problem?.fields[name],
    autoComplete: "off",
    onChange: (event: { currentTarget: { value: string } }) => {
      publish.reset();
      setTyped({ ...typed, [name]: event.currentTarget.value });
    },
  });
  const authors = typed.authors
    .split(";")
    .map((name) => name.trim())
    .filter(Boolean);
  const title = typed.title.trim() || null;
  const licence = typed.licence.trim() || null;
  const link = () => {
    const query = new URLSearchParams(authors.map((author) => ["author", author]));
    if (title) query.set("title", title);
    if (licence) query.set("licence", licence);
    if (!texts) query.set("texts", "false");
    if (prompts) query.set("prompts", "true");
    return inProject(`${address}?${query}`);
  };
  return (
    <Stack component="section" aria-label={label} gap="xs">
      <Text maw="44rem">{text}</Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }} maw="44rem" style={{ alignItems: "end" }}>
        <TextInput label={t("Title")} placeholder={subject} {...field("title")} />
        <TextInput label={t("Authors, separated by semicolons")} {...field("authors")} />
        <TextInput label={t("Licence (SPDX)")} placeholder="CC-BY-4.0" {...field("licence")} />
      </SimpleGrid>
      <Checkbox
        label={t("Include questions, references and answers")}
        description={t(
          "Without these texts, table and verdict can still be computed again, but nobody can compute the scores again.",
        )}
        checked={texts}
        onChange={(event) => {
          publish.reset();
          setTexts(event.currentTarget.checked);
        }}
      />
      {hasPrompts && (
        <Checkbox
          label={t("Include prompts with the texts of the passages")}
          description={t(
            "Every prompt as the model received it. Check that the licence of the documents allows this.",
          )}
          checked={prompts}
          disabled={!texts}
          onChange={(event) => {
            publish.reset();
            setChosen(event.currentTarget.checked);
          }}
        />
      )}
      {hasAuthority && (
        <Checkbox
          label={t("Add a time stamp")}
          description={t(
            "The time stamp authority of the project certifies that the study exists now. It learns digests only.",
          )}
          checked={stamp}
          onChange={(event) => {
            publish.reset();
            setStamp(event.currentTarget.checked);
          }}
        />
      )}
      <Group>
        <Button
          loading={publish.isPending}
          onClick={() => onPublish({ title, authors, licence, texts, prompts }, stamp)}
        >
          {t("Publish study")}
        </Button>
      </Group>
      <ProblemNotice error={publish.error} />
      {publish.data && (
        <Note title={t("Study published")} role="status">
          <Stack gap={4} align="flex-start">
            <Text size="sm" style={{ overflowWrap: "anywhere" }}>
              {t("Study digest: {digest}", { digest: publish.data.digest })}
            </Text>
            <Anchor size="sm" href={link()} download>
              {t("Save study")}
            </Anchor>
          </Stack>
        </Note>
      )}
    </Stack>
  );
}
