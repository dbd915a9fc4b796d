import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { inProject } from "@/api/project";
import { accountQueries } from "@/api/session";
import type { LoggedAct } from "@/api/types";
import { Moment } from "@/components/Moment";
import { ProblemNotice } from "@/components/ProblemNotice";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { t } from "@/words";

const FIRST = 20;
const MOST = 500;

const WAYS: Record<LoggedAct["via"], string> = {
  session: t("Browser"),
  token: t("Access token"),
  command: t("Command line"),
  local: t("This machine"),
};
const OUTCOMES: Record<LoggedAct["outcome"], string> = {
  done: t("Done"),
  refused: t("Refused"),
  failed: t("Failed"),
};

const COLUMNS: Column<LoggedAct>[] = [
  { id: "number", label: t("Row"), value: ({ number }) => number, cell: ({ number }) => String(number) },
  { id: "at", label: t("Time"), value: ({ at }) => at, cell: ({ at }) => <Moment at={at} /> },
  {
    id: "account",
    label: t("Account name"),
    value: ({ account }) => account,
    reason: t("Nobody was signed in."),
  },
  { id: "via", label: t("Via"), value: ({ via }) => WAYS[via] },
  { id: "operation", label: t("Operation"), value: ({ operation }) => operation },
  {
    id: "subject",
    label: t("Subject"),
    value: ({ subject }) => subject,
    reason: t("The operation has no subject."),
    kind: "text",
  },
  { id: "outcome", label: t("Outcome"), value: ({ outcome }) => OUTCOMES[outcome] },
];

/** Who did what in this project, for its administrators. */
export function Activity() {
  const [limit, setLimit] = useState(FIRST);
  const { data, error, isPlaceholderData } = useQuery(accountQueries.activity(limit));
  return (
    <Stack>
      <Text>
        {t("Each row contains the digest of the row before it. Requests that only read are not recorded.")}
      </Text>
      <ProblemNotice error={error} title={t("Activity log not shown")} />
      {data && (
        <DataTable
          name="activity"
          label={t("Activity log")}
          columns={COLUMNS}
          rows={[...data.items]}
          keyOf={({ number }) => String(number)}
          isShort
        />
      )}
      <Group>
        {data?.next != null && limit < MOST && (
          <Button
            variant="default"
            loading={isPlaceholderData}
            onClick={() => setLimit(Math.min(limit * 5, MOST))}
          >
            {t("Show older rows")}
          </Button>
        )}
        <Anchor href={inProject("/api/v1/activity/export")} download size="sm">
          {t("Export activity log")}
        </Anchor>
      </Group>
    </Stack>
  );
}
