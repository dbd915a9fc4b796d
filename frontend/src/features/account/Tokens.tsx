import { Button, Select, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCreateToken, useDeleteToken } from "@/api/accounts";
import { accountQueries } from "@/api/session";
import type { ProjectAccess, Token } from "@/api/types";
import { Command } from "@/components/Command";
import { RowForm } from "@/components/Form";
import { bindChoice, bindText } from "@/components/fields";
import { Note } from "@/components/Note";
import { actColumn, type Column, DataTable, momentColumn, plainColumn } from "@/components/table";
import { t } from "@/words";
import { ROLES, type Role, roleName } from "@/words/roles";
import { RoleSelect } from "./RoleSelect";

const DAYS = 90;

const COLUMNS: Column<Token>[] = [
  plainColumn("name", t("Purpose"), ({ name }) => name),
  plainColumn("scope", t("Scope"), ({ scope }) => roleName(scope)),
  plainColumn("project", t("Project"), ({ project }) => project ?? t("All projects")),
  momentColumn("used", t("Last used"), ({ last_used_at }) => last_used_at, { reason: t("Not used yet.") }),
  momentColumn("expires", t("Expires"), ({ expires_at }) => expires_at, { reason: t("Does not expire.") }),
  actColumn("delete", t("Delete"), ({ id }) => <Delete id={id} />),
];

/** The tokens of one's programs. */
export function Tokens({ role, projects }: { role: Role; projects: readonly ProjectAccess[] }) {
  const { data } = useQuery(accountQueries.tokens());
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Role>("viewer");
  const [project, setProject] = useState("");
  const create = useCreateToken();
  const submit = async () => {
    const made = await create
      .mutateAsync({ body: { name: name.trim(), scope, days: DAYS, project: project || null } })
      .catch(() => null);
    if (made) setName("");
  };
  const most = ROLES.findIndex(({ value }) => value === role);
  return (
    <Stack>
      <Text>
        {t("A program sends an access token instead of a password. It expires after {days, number} days.", {
          days: DAYS,
        })}{" "}
        <code>Authorization: Bearer …</code>
      </Text>
      <RowForm
        onSubmit={submit}
        send={t("Create access token")}
        request={create}
        isReady={name.trim() !== ""}
        problem={t("Access token not created")}
      >
        <TextInput label={t("Purpose")} {...bindText(name, setName)} maxLength={100} />
        <RoleSelect label={t("Scope")} roles={ROLES.slice(0, most + 1)} {...bindChoice(scope, setScope)} />
        {projects.length > 1 && (
          <Select
            label={t("Project")}
            data={[
              { value: "", label: t("All projects") },
              ...projects.map((each) => ({ value: each.name, label: each.name })),
            ]}
            {...bindChoice(project, setProject)}
          />
        )}
      </RowForm>
      {create.data && (
        <Note role="status" title={t("Copy the access token now. It cannot be shown again.")}>
          <Command text={create.data.secret} name={t("the access token")} />
        </Note>
      )}
      {data && data.items.length > 0 && (
        <DataTable
          name="tokens"
          label={t("Access tokens")}
          columns={COLUMNS}
          rows={[...data.items]}
          keyOf={({ id }) => id}
          isShort
        />
      )}
    </Stack>
  );
}

function Delete({ id }: { id: string }) {
  const remove = useDeleteToken();
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={remove.isPending}
      onClick={() => remove.mutate({ params: { path: { token_id: id } } })}
    >
      {t("Delete")}
    </Button>
  );
}
