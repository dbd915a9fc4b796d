import { useQuery } from "@tanstack/react-query";
import { accountQueries } from "@/api/session";
import { SmallLink } from "@/components/links";
import { t } from "@/words";

/** Who is signed in, as a link to the account; nothing where nobody signs in. */
export function AccountLink() {
  const { data } = useQuery(accountQueries.session());
  if (!data?.account) return null;
  return <SmallLink to="/account">{t("Signed in as {name}", { name: data.account })}</SmallLink>;
}
