import { Button, Stack, Text } from "@mantine/core";
import { api } from "@/api/client";
import { Command } from "@/components/Command";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { ModelTable } from "./ModelTable";
import { PullModel } from "./PullModel";

const label = words.settings;

/** What the model server has. */
export function Models() {
  const query = api.useQuery(
    "get",
    "/api/v1/models",
    { params: { query: { provider: "ollama" } } },
    { retry: false },
  );
  const items = query.data?.items;
  return (
    <Panel
      title={label.models}
      beside={
        <Button variant="default" size="xs" loading={query.isFetching} onClick={() => query.refetch()}>
          {label.check}
        </Button>
      }
    >
      {query.isPending && <Waiting height={120} />}
      {query.isError && <ProblemNotice error={query.error} title={label.modelsAway} />}
      {items?.length === 0 && (
        <Stack gap="xs">
          <Text>{label.noModels}</Text>
          <Command text={label.pull} />
        </Stack>
      )}
      {items && items.length > 0 && <ModelTable items={items} />}
      {items && <PullModel />}
    </Panel>
  );
}
