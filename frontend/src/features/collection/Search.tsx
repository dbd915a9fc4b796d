import { Button, Group, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { collectionQueries } from "@/api/materials";
import { Form } from "@/components/Form";
import { bindText } from "@/components/fields";
import { formatDuration } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { PassageItem } from "@/components/passages/PassageItem";
import { PassageList } from "@/components/passages/PassageList";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { useAddress } from "@/components/useAddress";
import { t } from "@/words";
import classes from "./Search.module.css";

const route = getRouteApi("/collections/$name");
const FIRST = 10;
const MOST = 100;

/** The passages nearest to a text; the search text is in the address. */
export function Search({ collection }: { collection: string }) {
  const { text = "" } = route.useSearch();
  const navigate = useNavigate({ from: "/collections/$name" });
  const [typed, setTyped] = useState(text);
  // Going back and forth brings the text that was sought back into its field.
  useEffect(() => setTyped(text), [text]);
  const submit = () => {
    const wanted = typed.trim();
    navigate({ search: wanted ? { text: wanted } : {}, resetScroll: false });
  };
  return (
    <Panel title={t("Search")}>
      <Form onSubmit={submit}>
        <Group align="flex-end" gap="xs">
          <TextInput
            className={classes.text ?? ""}
            label={t("Search text")}
            placeholder={t("A question or a few words")}
            {...bindText(typed, setTyped)}
            maxLength={10_000}
          />
          <Button type="submit">{t("Search")}</Button>
        </Group>
      </Form>
      {text === "" ? (
        <Quiet>{t("Ranks passages by similarity to this text, as in a sweep. No model is called.")}</Quiet>
      ) : (
        <Found collection={collection} text={text} />
      )}
    </Panel>
  );
}

function Found({ collection, text }: { collection: string; text: string }) {
  const { top = FIRST } = route.useSearch();
  const put = useAddress();
  const limit = Math.min(MOST, Math.max(1, top));
  const query = useQuery(collectionQueries.passages(collection, text, limit));
  if (!query.data) return <QueryState query={query} height={240} />;
  const { passages, embedding_s = 0, retrieval_s = 0 } = query.data;
  const more = () => put({ top: Math.min(MOST, limit + FIRST) });
  return (
    <>
      <Quiet role="status">
        {passages.length > 0
          ? t(
              "{count, plural, one {# most similar passage} other {# most similar passages}}, found in {seconds}.",
              { count: passages.length, seconds: formatDuration(embedding_s + retrieval_s) },
            )
          : t("The collection has no passages.")}
      </Quiet>
      <PassageList>
        {passages.map((passage) => (
          <PassageItem key={passage.id} passage={passage} />
        ))}
      </PassageList>
      {passages.length === limit && limit < MOST && (
        <Group>
          <Button variant="default" size="xs" onClick={more} loading={query.isPlaceholderData}>
            {t("Show more passages")}
          </Button>
        </Group>
      )}
    </>
  );
}
