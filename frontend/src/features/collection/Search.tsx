import { Button, Group, Text, TextInput } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { api } from "@/api/client";
import { formatCount, formatDuration } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { PassageItem } from "@/components/passages/PassageItem";
import { PassageList } from "@/components/passages/PassageList";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import classes from "./Search.module.css";

const route = getRouteApi("/collections/$name");
const FIRST = 10;
const MOST = 100;
const label = words.collections;

/** The passages nearest to a text; what is sought stands in the address. */
export function Search({ collection }: { collection: string }) {
  const { text = "" } = route.useSearch();
  const navigate = useNavigate({ from: "/collections/$name" });
  const [typed, setTyped] = useState(text);
  // Going back and forth brings the text that was sought back into its field.
  useEffect(() => setTyped(text), [text]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = typed.trim();
    navigate({ search: wanted ? { text: wanted } : {}, resetScroll: false });
  };
  return (
    <Panel title={label.search}>
      <form onSubmit={submit}>
        <Group align="flex-end" gap="xs">
          <TextInput
            className={classes.text ?? ""}
            label={label.searchLabel}
            placeholder={label.searchPlaceholder}
            value={typed}
            maxLength={10_000}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit">{label.searchButton}</Button>
        </Group>
      </form>
      {text === "" ? (
        <Text size="sm" c="var(--quiet)">
          {label.searchHint}
        </Text>
      ) : (
        <Found collection={collection} text={text} />
      )}
    </Panel>
  );
}

function Found({ collection, text }: { collection: string; text: string }) {
  const { top = FIRST } = route.useSearch();
  const navigate = useNavigate({ from: "/collections/$name" });
  const limit = Math.min(MOST, Math.max(1, top));
  const query = api.useQuery(
    "get",
    "/api/v1/collections/{name}/passages",
    { params: { path: { name: collection }, query: { text, top_k: limit } } },
    { placeholderData: keepPreviousData },
  );
  if (query.isPending) return <Waiting height={240} />;
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  const { passages, embedding_s = 0, retrieval_s = 0 } = query.data;
  const more = () =>
    navigate({
      search: (search) => ({ ...search, top: Math.min(MOST, limit + FIRST) }),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <Text size="sm" c="var(--quiet)" role="status">
        {passages.length > 0
          ? label.results(formatCount(passages.length), formatDuration(embedding_s + retrieval_s))
          : label.noResults}
      </Text>
      <PassageList>
        {passages.map((passage) => (
          <PassageItem key={passage.id} passage={passage} />
        ))}
      </PassageList>
      {passages.length === limit && limit < MOST && (
        <Group>
          <Button variant="default" size="xs" onClick={more} loading={query.isPlaceholderData}>
            {label.more}
          </Button>
        </Group>
      )}
    </>
  );
}
