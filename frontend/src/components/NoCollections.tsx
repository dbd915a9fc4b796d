import { useQueryClient } from "@tanstack/react-query";
import { collectionQueries } from "@/api/materials";
import { t } from "@/words";
import { EmptyState } from "./EmptyState";
import { Examples } from "./Examples";
import { ButtonLink } from "./links";

/** A page about collections while there is none: what it needs them for, and two ways to one. */
export function NoCollections({ text }: { text: string }) {
  const cache = useQueryClient();
  return (
    <EmptyState title={t("No collections yet")} text={text}>
      <ButtonLink to="/collections">{t("Add documents")}</ButtonLink>
      <Examples
        onLoaded={() => void cache.invalidateQueries({ queryKey: collectionQueries.list().queryKey })}
      />
    </EmptyState>
  );
}
