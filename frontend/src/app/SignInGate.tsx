import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Activity, lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useState } from "react";
import { NOT_ALLOWED, SIGNED_OUT } from "@/api/client";
import { PROJECT_PATH, pathOf } from "@/api/project";
import { accountQueries, followSession, repeatInChanges } from "@/api/session";
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
  const { data, isError } = useQuery(accountQueries.session());
  /** The account whose session ended while it had pages open. They are kept for it, with what is typed into them. */
  const [owner, setOwner] = useState<string | null>(null);
  // Before the effects of the pages, which may send a change as soon as they are drawn.
  useLayoutEffect(() => {
    if (data || isError) repeatInChanges(data?.csrf ?? "");
  }, [data, isError]);
  // Somebody else may have signed in meanwhile, on another page of this browser.
  const isOther = owner !== null && data?.account != null && data.account !== owner;
  useEffect(() => {
    // Nothing of the one is left for the other.
    if (isOther) globalThis.location.reload();
    else if (data?.account) setOwner(null);
  }, [data, isOther]);
  useEffect(() => {
    const { queryKey } = accountQueries.session();
    const ask = () => {
      const account = cache.getQueryData<typeof data>(queryKey)?.account;
      if (account) setOwner(account);
      void cache.invalidateQueries({ queryKey });
    };
    const askForRole = () => void cache.invalidateQueries({ queryKey });
    globalThis.addEventListener(SIGNED_OUT, ask);
    globalThis.addEventListener(NOT_ALLOWED, askForRole);
    const unfollow = followSession(ask);
    return () => {
      globalThis.removeEventListener(SIGNED_OUT, ask);
      globalThis.removeEventListener(NOT_ALLOWED, askForRole);
      unfollow();
    };
  }, [cache]);
  // Who is no member of the default project, and named no other, wants the first of their own.
  const own = data && !data.role && !PROJECT_PATH ? data.projects?.[0]?.name : null;
  useEffect(() => {
    if (own) globalThis.location.replace(pathOf(own));
  }, [own]);
  // Who connects an account at the identity provider is signed in when coming back from there.
  const isIn = !isReturn() && !isOther && (!data?.needs_account || data.account != null);
  const enter = (account: string) => {
    // What was refused before is asked for again, as the one who has signed in.
    if (account === owner) void cache.invalidateQueries();
    else if (owner === null) void cache.resetQueries();
    else globalThis.location.reload();
  };
  return (
    <>
      {(isIn || owner !== null) && <Activity mode={isIn ? "visible" : "hidden"}>{children}</Activity>}
      {!isIn && (
        <Suspense>
          <SignInPage owner={owner} onDone={enter} />
        </Suspense>
      )}
    </>
  );
}
