import { Button, Stack, Text } from "@mantine/core";
import { api } from "@/api/client";
import type { ModelInfo } from "@/api/types";
import { Command } from "@/components/Command";
import { Digest } from "@/components/Digest";
import { formatBytes, formatCount } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { cell, Sheet } from "@/components/Sheet";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";

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
    </Panel>
  );
}

function ModelTable({ items }: { items: ModelInfo[] }) {
  return (
    <Sheet label={label.models} pinned>
      <thead>
        <tr>
          <th scope="col">{label.model}</th>
          <th scope="col" className={cell.number}>
            {label.size}
          </th>
          <th scope="col" className={cell.number}>
            {label.parameters}
          </th>
          <th scope="col">{label.quantization}</th>
          <th scope="col" className={cell.number}>
            {label.context}
          </th>
          <th scope="col">{label.digest}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((model) => (
          <tr key={model.name}>
            <th scope="row">{model.name}</th>
            <td className={cell.number}>
              <Num value={model.size_bytes} reason={label.notSaid} format={formatBytes} />
            </td>
            <td className={cell.number}>
              <Said value={model.parameter_size} />
            </td>
            <td>
              <Said value={model.quantization} />
            </td>
            <td className={cell.number}>
              <Num value={model.context_length} reason={label.notListed} format={formatCount} />
            </td>
            <td>
              <Digest value={model.digest} />
            </td>
          </tr>
        ))}
      </tbody>
    </Sheet>
  );
}

function Said({ value }: { value: string | null | undefined }) {
  return value ? value : <Num value={null} reason={label.notSaid} format={String} />;
}
