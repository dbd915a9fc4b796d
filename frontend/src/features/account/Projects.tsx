import { Anchor, Button, Select, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAddProject, useRemoveMember, useSetMember } from "@/api/accounts";
import { pathOf } from "@/api/project";
import { accountQueries } from "@/api/session";
import type { Member, ProjectAccess } from "@/api/types";
import { Confirm } from "@/components/Confirm";
import { RowForm } from "@/components/Form";
import { bindChoice, bindText } from "@/components/fields";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { actColumn, type Column, DataTable, plainColumn } from "@/components/table";
import { t } from "@/words";
import { type Role, roleName } from "@/words/roles";
import { RoleSelect } from "./RoleSelect";

const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;
const DEFAULT = "default";

/** All projects, for administrators: one to add, and the members of each. */
export function Projects({ projects }: { projects: readonly ProjectAccess[] }) {
  const names = projects.map(({ name }) => name).filter((name) => name !== DEFAULT);
  const [chosen, choose] = useState<string | null>(null);
  return (
    <Stack>
      <AddProject />
      {names.length > 0 && (
        <Select
          label={t("Members of project")}
          placeholder={t("Choose a project")}
          data={names}
          value={chosen}
          onChange={choose}
          w={320}
        />
      )}
      {chosen && <Members key={chosen} project={chosen} />}
    </Stack>
  );
}

function AddProject() {
  const [name, setName] = useState("");
  const add = useAddProject();
  const submit = async () => {
    if (await add.mutateAsync({ body: { name } }).catch(() => null)) setName("");
  };
  return (
    <RowForm
      onSubmit={submit}
      send={t("Add project")}
      request={add}
      isReady={NAME.test(name)}
      problem={t("Project not added")}
    >
      <TextInput
        label={t("Name of the project")}
        description={t("Lowercase Latin letters, digits and hyphens.")}
        {...bindText(name, setName)}
        autoComplete="off"
        spellCheck={false}
      />
    </RowForm>
  );
}

const columns = (project: string, everywhere: ReadonlySet<string>): Column<Member>[] => [
  plainColumn("name", t("Account name"), ({ account }) => account),
  plainColumn("role", t("Role"), ({ role }) => roleName(role)),
  actColumn("remove", t("Remove"), ({ account }) =>
    everywhere.has(account) ? (
      <Quiet>{t("Administrator of all projects")}</Quiet>
    ) : (
      <Remove project={project} account={account} />
    ),
  ),
];

function Members({ project }: { project: string }) {
  const { data, error } = useQuery(accountQueries.members(project));
  const users = useQuery(accountQueries.users()).data?.items ?? [];
  // Administrators of the default project are members of each: removing one would only sign them out.
  const everywhere = new Set(users.filter(({ role }) => role === "admin").map(({ name }) => name));
  return (
    <Stack>
      <Anchor href={pathOf(project)} size="sm">
        {t("Open project {name}", { name: project })}
      </Anchor>
      <AddMember project={project} />
      <ProblemNotice error={error} title={t("Members not shown")} />
      {data && (
        <DataTable
          name="members"
          label={t("Members of project {name}", { name: project })}
          columns={columns(project, everywhere)}
          rows={[...data.items]}
          keyOf={({ account }) => account}
          isShort
        />
      )}
    </Stack>
  );
}

function AddMember({ project }: { project: string }) {
  const { data } = useQuery(accountQueries.users());
  const [name, setName] = useState<string | null>(null);
  const [role, setRole] = useState<Role>("viewer");
  const set = useSetMember();
  const submit = async () => {
    if (name)
      await set.mutateAsync({ params: { path: { project, name } }, body: { role } }).catch(() => null);
  };
  return (
    <RowForm
      onSubmit={submit}
      send={t("Set role")}
      request={set}
      isReady={!!name}
      problem={t("Role not set")}
    >
      <Select
        label={t("Account")}
        data={(data?.items ?? []).map((account) => account.name)}
        value={name}
        onChange={setName}
        searchable
      />
      <RoleSelect
        label={t("Role in the project")}
        description={t("Setting a role signs the account out.")}
        {...bindChoice(role, setRole)}
      />
    </RowForm>
  );
}

function Remove({ project, account }: { project: string; account: string }) {
  const remove = useRemoveMember();
  const [asking, question] = useDisclosure();
  const name = { name: account };
  const confirm = () => {
    question.close();
    remove.mutate({ params: { path: { project, name: account } } });
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={remove.isPending}
        aria-label={t("Remove {name} from the project", name)}
        onClick={question.open}
      >
        {t("Remove")}
      </Button>
      <Confirm
        isOpen={asking}
        title={t("Remove {name} from the project?", name)}
        text={t("The account is signed out and can no longer open the project. What it created is kept.")}
        keep={t("Cancel", {}, "dialog")}
        confirm={t("Remove")}
        onConfirm={confirm}
        onClose={question.close}
      />
    </>
  );
}
