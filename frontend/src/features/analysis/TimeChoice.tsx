import { Button, Group, NumberInput, Select, Text } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { usual } from "@/api/defaults";
import type { SweepDetail, TimingReport } from "@/api/types";
import { bindChoice } from "@/components/fields";
import { Note } from "@/components/Note";
import { Panel } from "@/components/Panel";
import { reportIn } from "@/components/results/timings";
import { useAddress } from "@/components/useAddress";
import { t } from "@/words";
import { JsonFileButton } from "./JsonFileButton";

const route = getRouteApi("/analysis/times");
const TYPED_MS = 500;

interface Props {
  sweeps: SweepDetail[];
  file: TimingReport | null;
  onFile: (file: TimingReport | null) => void;
}

/** What is compared, and within which margins two sides count as the same; all but a file stands in the address. */
export function TimeChoice({ sweeps, file, onFile }: Props) {
  const { here, there, margin, scoreMargin } = route.useSearch();
  const address = useAddress();
  const [unread, setUnread] = useState<string | null>(null);
  const put: typeof address = (change) => address(change, false);
  const named = sweeps.map(({ id, sweep }) => ({
    value: id,
    label: `${sweep.name} (${sweep.timing ? t("timing run") : t("under load")})`,
  }));
  return (
    <Panel title={t("Comparison")}>
      <Group gap="sm" align="flex-end">
        <Select
          w="min(100%, 22rem)"
          label={t("This sweep")}
          placeholder={t("Choose a finished sweep")}
          data={named}
          searchable
          {...bindChoice(here ?? null, (value) =>
            put({ here: value, ...(value === there ? { there: undefined } : {}) }),
          )}
        />
        <Select
          w="min(100%, 22rem)"
          label={t("Compare with")}
          placeholder={t("Choose a finished sweep")}
          data={named.filter(({ value }) => value !== here)}
          searchable
          allowDeselect={false}
          value={file ? null : (there ?? null)}
          onChange={(id) => {
            if (!id) return;
            onFile(null);
            put({ there: id });
          }}
        />
        {file ? (
          <Group gap="xs">
            <Text size="sm">{file.name}</Text>
            <Button variant="subtle" size="compact-sm" onClick={() => onFile(null)}>
              {t("Remove file")}
            </Button>
          </Group>
        ) : (
          <JsonFileButton
            label={t("Report from another machine")}
            find={reportIn}
            onFound={(found) => {
              onFile(found);
              void put({ there: undefined });
            }}
            onUnread={setUnread}
          />
        )}
      </Group>
      {unread !== null && (
        <Note tone="bad" role="alert">
          {t(
            "{name} is not a timing report. Write one on the other machine with passer timings ID --json, then choose that file.",
            { name: unread },
          )}
        </Note>
      )}
      <Group gap="sm" align="flex-start">
        <Margin
          name="margin"
          usual={usual.time_margin}
          value={margin}
          label={t("Time margin")}
          hint={t(
            "Ratios between 1 / (1 + margin) and 1 + margin count as equivalent. Set the margin before you look at the results.",
          )}
        />
        <Margin
          name="scoreMargin"
          usual={usual.score_margin}
          value={scoreMargin}
          label={t("Score margin")}
          hint={t("Mean differences within this margin count as equivalent.")}
        />
      </Group>
    </Panel>
  );
}

interface MarginProps {
  name: "margin" | "scoreMargin";
  usual: number;
  value: number | undefined;
  label: string;
  hint: string;
}

function Margin({ name, usual, value, label: heading, hint }: MarginProps) {
  const address = useAddress();
  const put = useDebouncedCallback((next: number | string) => {
    const number = typeof next === "number" && next > 0 ? next : undefined;
    void address({ [name]: number === usual ? undefined : number });
  }, TYPED_MS);
  return (
    <NumberInput
      w="min(100%, 18rem)"
      label={heading}
      description={hint}
      inputWrapperOrder={["label", "input", "description"]}
      min={0.001}
      max={10}
      step={usual / 2}
      decimalScale={4}
      defaultValue={value ?? usual}
      onChange={put}
    />
  );
}
