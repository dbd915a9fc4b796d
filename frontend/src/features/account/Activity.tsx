import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { accountQueries } from "@/api/session";
import type { LoggedAct } from "@/api/types";
import { FileLink } from "@/components/links";
import { ProblemNotice } from "@/components/ProblemNotice";
import { type Column, DataTable, momentColumn, plainColumn, textColumn } from "@/components/table";
import { t } from "@/words";
import { operationName } from "./operations";

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
  plainColumn("number", t("Row"), ({ number }) => number, { cell: ({ number }) => String(number) }),
  momentColumn("at", t("Time"), ({ at }) => at),
  plainColumn("account", t("Account name"), ({ account }) => account, { reason: t("Nobody was signed in.") }),
  plainColumn("via", t("Via"), ({ via }) => WAYS[via]),
  plainColumn("operation", t("Operation"), operationName),
  textColumn("subject", t("Subject"), ({ subject }) => subject, {
    reason: t("The operation has no subject."),
  }),
  plainColumn("outcome", t("Outcome"), ({ outcome }) => OUTCOMES[outcome]),
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
        <FileLink address="/api/v1/activity/export">{t("Export activity log")}</FileLink>
      </Group>
    </Stack>
  );
}
