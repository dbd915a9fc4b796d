import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { SIGNED_OUT } from "@/api/client";
import { PROJECT_PATH, pathOf } from "@/api/project";
import { accountQueries, repeatInChanges } from "@/api/session";
import { isReturn } from "@/features/account/providerPage";

const SignInPage = lazy(async () => {
  const [{ SignInPage }] = await Promise.all([
    import("@/features/account/SignInPage"),
    import("./formStyles"),
  ]);
  return { default: SignInPage };
});

/** Shows the pages, or the form to sign in where somebody has to; one person on one machine never sees it. */
export function SignInGate({ children }: { children: ReactNode }) {
  const cache = useQueryClient();
  const { data } = useQuery(accountQueries.session());
  useEffect(() => repeatInChanges(data?.csrf ?? ""), [data]);
  useEffect(() => {
    const ask = () => void cache.invalidateQueries({ queryKey: accountQueries.session().queryKey });
    globalThis.addEventListener(SIGNED_OUT, ask);
    return () => globalThis.removeEventListener(SIGNED_OUT, ask);
  }, [cache]);
  // Who is no member of the default project, and named no other, wants the first of their own.
  const own = data && !data.role && !PROJECT_PATH ? data.projects?.[0]?.name : null;
  useEffect(() => {
    if (own) globalThis.location.replace(pathOf(own));
  }, [own]);
  // Who connects an account at the identity provider is signed in when coming back from there.
  if (!isReturn() && (!data?.needs_account || data.account)) return children;
  return (
    <Suspense>
      <SignInPage />
    </Suspense>
  );
}
