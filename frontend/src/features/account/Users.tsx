import { Button, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAddRecoveryLink, useAddUser, useChangeUser, useDeleteUser } from "@/api/accounts";
import { accountQueries } from "@/api/session";
import type { Account } from "@/api/types";
import { Command } from "@/components/Command";
import { Confirm } from "@/components/Confirm";
import { DeleteByName } from "@/components/DeleteByName";
import { RowForm } from "@/components/Form";
import { bindChoice, bindText } from "@/components/fields";
import { Note } from "@/components/Note";
import { ProblemNotice } from "@/components/ProblemNotice";
import { actColumn, type Column, DataTable, momentColumn, plainColumn } from "@/components/table";
import { t } from "@/words";
import { type Role, roleName } from "@/words/roles";
import { isLongEnough, NewPassword } from "./NewPassword";
import { RoleSelect } from "./RoleSelect";

const columns = (own: string, onRecover: (name: string) => void): Column<Account>[] => [
  plainColumn("name", t("Account name"), ({ name }) => name),
  plainColumn("role", t("Role"), ({ role }) => role, {
    reason: t("Not a member of the default project."),
    cell: (account) => <RoleChoice account={account} />,
  }),
  {
    id: "projects",
    label: t("Other projects"),
    value: ({ projects }) => Object.keys(projects ?? {}).join(", ") || null,
    reason: t("Not a member of another project."),
  },
  momentColumn("signed-in", t("Last sign-in"), ({ signed_in_at }) => signed_in_at, {
    reason: t("Not signed in yet."),
  }),
  actColumn("recover", t("Lost password"), ({ name }) => (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={t("Recovery link for {name}", { name })}
      onClick={() => onRecover(name)}
    >
      {t("Recovery link")}
    </Button>
  )),
  actColumn("delete", t("Delete"), ({ name }) => name !== own && <Delete name={name} />),
];

/** All accounts, for administrators. */
export function Users({ own }: { own: string }) {
  const { data } = useQuery(accountQueries.users());
  const link = useAddRecoveryLink();
  return (
    <Stack>
      <AddUser />
      <ProblemNotice error={link.error} title={t("Recovery link not created")} />
      {link.data && (
        <Note
          role="status"
          title={t(
            "Send this link to {name} alone. It is valid once, for 24 hours, and cannot be shown again.",
            { name: link.variables.params.path.name },
          )}
        >
          <Command text={globalThis.location.origin + link.data.path} />
        </Note>
      )}
      {data && (
        <DataTable
          name="users"
          label={t("Users")}
          columns={columns(own, (name) => link.mutate({ params: { path: { name } } }))}
          rows={[...data.items]}
          keyOf={({ name }) => name}
          isShort
        />
      )}
    </Stack>
  );
}

function AddUser() {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const add = useAddUser();
  const submit = async () => {
    const made = await add.mutateAsync({ body: { name: name.trim(), role, password } }).catch(() => null);
    if (!made) return;
    setName("");
    setPassword("");
  };
  return (
    <RowForm
      onSubmit={submit}
      send={t("Add user")}
      request={add}
      isReady={name !== "" && isLongEnough(password)}
      problem={t("User not added")}
    >
      <TextInput
        label={t("Account name")}
        {...bindText(name, setName)}
        autoComplete="off"
        spellCheck={false}
      />
      <NewPassword
        label={t("First password, 12 characters or more")}
        value={password}
        onChange={setPassword}
        w={280}
      />
      <RoleSelect label={t("Role")} {...bindChoice(role, setRole)} />
    </RowForm>
  );
}

function RoleChoice({ account: { name, role } }: { account: Account }) {
  const change = useChangeUser();
  const [chosen, choose] = useState<Role>();
  const confirm = () => {
    change.mutate({ params: { path: { name } }, body: { role: chosen ?? null } });
    choose(undefined);
  };
  return (
    <>
      <RoleSelect
        aria-label={t("Role of {name}", { name })}
        {...bindChoice(role ?? null, (value) => value !== role && choose(value))}
        size="xs"
        disabled={change.isPending}
      />
      <Confirm
        isOpen={chosen !== undefined}
        title={t("Change the role of {name}?", { name })}
        text={t("New role: {role}. The account is signed out and has to sign in again.", {
          role: chosen ? roleName(chosen) : "",
        })}
        keep={t("Cancel", {}, "dialog")}
        confirm={t("Change role")}
        onConfirm={confirm}
        onClose={() => choose(undefined)}
      />
    </>
  );
}

function Delete({ name }: { name: string }) {
  const remove = useDeleteUser();
  return (
    <DeleteByName
      name={name}
      text={t("The account is signed out and its access tokens stop working. What it created is kept.")}
      request={remove}
      onDelete={() => remove.mutate({ params: { path: { name } } })}
    />
  );
}
