import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useActs } from "@/api/acts";
import type { SweepDetail } from "@/api/types";
import { ButtonLink } from "@/components/links";
import { words } from "@/words";
import { isLive } from "./state";

const label = words.sweep;

/** What a person can do to the sweep as it is now. */
export function Actions({ sweep }: { sweep: SweepDetail }) {
  const acts = useActs(sweep.id);
  const [asking, question] = useDisclosure();
  const live = isLive(sweep.state);
  const stop = () => {
    question.close();
    acts.steer("cancel");
  };
  return (
    <>
      {live && (
        <Button variant="default" loading={acts.busy === "pause"} onClick={() => acts.steer("pause")}>
          {label.pause}
        </Button>
      )}
      {(sweep.state === "cancelled" || sweep.state === "failed" || sweep.state === "paused") && (
        <Button loading={acts.busy === "resume"} onClick={() => acts.steer("resume")}>
          {label.resume}
        </Button>
      )}
      {(live || sweep.state === "paused") && (
        <Button variant="default" loading={acts.busy === "cancel"} onClick={question.open}>
          {label.cancel}
        </Button>
      )}
      {!live && (
        <ButtonLink variant="default" to="/new" search={{ copy: sweep.id }}>
          {label.copy}
        </ButtonLink>
      )}
      <Modal
        opened={asking}
        onClose={question.close}
        title={label.cancelTitle}
        closeButtonProps={{ "aria-label": words.errors.close }}
      >
        <Stack>
          <Text>{label.cancelText(sweep.sweep.name)}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={question.close} data-autofocus>
              {label.cancelNo}
            </Button>
            <Button color="red.9" onClick={stop}>
              {label.cancelYes}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
