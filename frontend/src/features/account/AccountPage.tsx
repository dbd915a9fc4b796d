import { Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useChangePassword, useSignOut } from "@/api/accounts";
import { accountQueries } from "@/api/session";
import { Command } from "@/components/Command";
import { RowForm } from "@/components/Form";
import { bindText } from "@/components/fields";
import { showDone } from "@/components/notices";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { t } from "@/words";
import { roleName } from "@/words/roles";
import { Activity } from "./Activity";
import { Identities } from "./Identities";
import { isLongEnough, NewPassword } from "./NewPassword";
import { Projects } from "./Projects";
import { Tokens } from "./Tokens";
import { Users } from "./Users";

/** One's own account; for administrators also those of the others. */
export function AccountPage(): ReactNode {
  const cache = useQueryClient();
  const data = useOwnSession();
  const signOut = useSignOut();
  const leave = async () => {
    await signOut.mutateAsync({}).catch(() => null);
    await cache.resetQueries();
  };
  if (!data) return null;
  if (!data.account) return <NoAccounts />;
  return (
    <>
      <PageHead
        title={t("Account")}
        lead={data.role ? `${data.account}, ${roleName(data.role)}` : data.account}
      />
      <Stack gap="lg">
        <Panel
          title={t("Password")}
          beside={
            <Button variant="default" loading={signOut.isPending} onClick={() => void leave()}>
              {t("Sign out")}
            </Button>
          }
        >
          {data.has_password ? (
            <PasswordForm />
          ) : (
            <Text>
              {t("This account has no password. Ask an administrator for a recovery link to choose one.")}
            </Text>
          )}
        </Panel>
        {(data.provider || data.has_wallets) && (
          <Panel title={t("Connected sign-ins")}>
            <Identities provider={data.provider ?? null} hasWallets={data.has_wallets ?? false} />
          </Panel>
        )}
        {data.role && (
          <Panel title={t("Access tokens")}>
            <Tokens role={data.role} projects={data.projects ?? []} />
          </Panel>
        )}
        {data.is_administrator && (
          <>
            <Panel title={t("Users")}>
              <Users own={data.account} />
            </Panel>
            <Panel title={t("Projects")}>
              <Projects projects={data.projects ?? []} />
            </Panel>
          </>
        )}
        {data.role === "admin" && (
          <Panel title={t("Activity log")}>
            <Activity />
          </Panel>
        )}
      </Stack>
    </>
  );
}

/** The session; one that has ended stays as it was, so that what is typed survives until the same account is back. */
function useOwnSession() {
  const { data } = useQuery(accountQueries.session());
  const [own, setOwn] = useState(data);
  if (data && data !== own && (data.account || !data.needs_account)) setOwn(data);
  return own;
}

function NoAccounts() {
  return (
    <>
      <PageHead
        title={t("Account")}
        lead={t("This PaSSER has no accounts: one person uses it on this machine.")}
      />
      <Stack gap="lg">
        <div>
          <Text>{t("Add the first account on the command line. From then on everybody signs in.")}</Text>
          <Command text="passer users add NAME --role admin" />
        </div>
        <Panel title={t("Activity log")}>
          <Activity />
        </Panel>
      </Stack>
    </>
  );
}

/** Changing one's own password, which ends all sessions. */
function PasswordForm() {
  const cache = useQueryClient();
  const [old, setOld] = useState("");
  const [next, setNext] = useState("");
  const change = useChangePassword();
  const submit = async () => {
    const failed = await change.mutateAsync({ body: { old, new: next } }).then(
      () => false,
      () => true,
    );
    if (failed) return;
    showDone(t("Password changed. Sign in with the new one."));
    await cache.resetQueries();
  };
  return (
    <RowForm
      onSubmit={submit}
      send={t("Change password")}
      request={change}
      isReady={old !== "" && isLongEnough(next)}
      problem={t("Password not changed")}
    >
      <PasswordInput
        label={t("Current password")}
        {...bindText(old, setOld)}
        autoComplete="current-password"
        w={240}
      />
      <NewPassword label={t("New password, 12 characters or more")} value={next} onChange={setNext} w={280} />
    </RowForm>
  );
}
