import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/api/client";
import type { ListedRun, Run } from "@/api/types";
import { ButtonLink } from "@/components/links";
import { showDone } from "@/components/notices";
import { formatCount } from "@/components/numbers/format";
import type { Selection } from "@/components/table/useSelection";
import { words } from "@/words";

const label = words.runs;
type Act = "cancel" | "pause" | "resume" | "retry";

/** In which states an act does something. */
const FITS: Record<Act, (run: Run) => boolean> = {
  pause: ({ state }) => state === "running" || state === "queued",
  resume: ({ state }) => state === "paused" || state === "cancelled" || state === "failed",
  cancel: ({ state }) => state === "running" || state === "queued" || state === "paused",
  retry: ({ state, counts }) => counts.failed > 0 && state !== "running" && state !== "queued",
};
const ACTS = ["pause", "resume", "retry", "cancel"] as const;

interface Props {
  selection: Selection;
  items: readonly ListedRun[];
}

/** What can be done to the runs that are ticked: compare them, or steer those that an act fits. */
export function Acts({ selection, items }: Props) {
  const [asking, question] = useDisclosure();
  const [busy, setBusy] = useState<Act | null>(null);
  const steer = api.useMutation("post", "/api/v1/sweeps/{sweep_id}/{act}");
  const cache = useQueryClient();
  const ticked = items.filter(({ run }) => selection.has(run.id)).map(({ run }) => run);
  const act = async (name: Act) => {
    question.close();
    setBusy(name);
    const chosen = ticked.filter(FITS[name]);
    for (const sweep_id of new Set(chosen.map((run) => run.sweep_id))) {
      const run_id = chosen.filter((run) => run.sweep_id === sweep_id).map(({ id }) => id);
      const params = { path: { sweep_id, act: name }, query: { run_id } };
      // What goes wrong is said by the cache, for each sweep; the others go on.
      await steer.mutateAsync({ params }).catch(() => null);
    }
    await cache.invalidateQueries();
    setBusy(null);
    showDone(label.steered);
  };
  const stopping = ticked.filter(FITS.cancel);
  return (
    <>
      <ButtonLink
        to="/compare"
        search={{ runs: [...selection.keys].join("~") }}
        size="xs"
        disabled={selection.keys.size < 2}
      >
        {label.compare}
      </ButtonLink>
      {ACTS.filter((name) => ticked.some(FITS[name])).map((name) => (
        <Button
          key={name}
          size="xs"
          variant="default"
          loading={busy === name}
          onClick={() => (name === "cancel" ? question.open() : act(name))}
        >
          {label[name]}
        </Button>
      ))}
      <Modal
        opened={asking}
        onClose={question.close}
        title={label.cancelTitle(formatCount(stopping.length))}
        closeButtonProps={{ "aria-label": words.errors.close }}
      >
        <Stack>
          <Text>{label.cancelText(stopping.map(({ name }) => name).join(", "))}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={question.close} data-autofocus>
              {label.cancelNo}
            </Button>
            <Button color="red.9" onClick={() => act("cancel")}>
              {label.cancelYes}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
