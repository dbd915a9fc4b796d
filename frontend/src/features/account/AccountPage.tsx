import { Button, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { accountQueries, useSignOut } from "@/api/session";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { t } from "@/words";
import { roleName } from "@/words/roles";
import { PasswordForm } from "./PasswordForm";
import { Tokens } from "./Tokens";
import { Users } from "./Users";

/** One's own account; for administrators also those of the others. */
export function AccountPage(): ReactNode {
  const cache = useQueryClient();
  const { data } = useQuery(accountQueries.session());
  const signOut = useSignOut();
  const leave = async () => {
    await signOut.mutateAsync({}).catch(() => null);
    await cache.resetQueries();
  };
  if (!data) return null;
  if (!data.account || !data.role) return <NoAccounts />;
  return (
    <>
      <PageHead title={t("Account")} lead={`${data.account}, ${roleName(data.role)}`} />
      <Stack gap="lg">
        <Panel
          title={t("Password")}
          beside={
            <Button variant="default" loading={signOut.isPending} onClick={() => void leave()}>
              {t("Sign out")}
            </Button>
          }
        >
          <PasswordForm />
        </Panel>
        <Panel title={t("Access tokens")}>
          <Tokens role={data.role} />
        </Panel>
        {data.role === "admin" && (
          <Panel title={t("Users")}>
            <Users own={data.account} />
          </Panel>
        )}
      </Stack>
    </>
  );
}

function NoAccounts() {
  return (
    <>
      <PageHead
        title={t("Account")}
        lead={t("This PaSSER has no accounts: one person uses it on this machine.")}
      />
      <Text>
        {t("Add the first account on the command line. From then on everybody signs in.")}{" "}
        <code>passer users add NAME --role admin</code>
      </Text>
    </>
  );
}
