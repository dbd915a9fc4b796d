import { t } from "@/words";
import { EmptyState } from "./EmptyState";
import { Examples } from "./Examples";
import { ButtonLink } from "./links";

/** A page about collections while there is none: what it needs them for, and two ways to one. */
export function NoCollections({ text }: { text: string }) {
  return (
    <EmptyState title={t("No collections yet")} text={text}>
      <ButtonLink to="/collections">{t("Add documents")}</ButtonLink>
      {/* The page itself shows the new collection: nothing has to open. */}
      <Examples onLoaded={() => {}} />
    </EmptyState>
  );
}
