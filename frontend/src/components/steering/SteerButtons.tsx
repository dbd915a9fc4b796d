import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Run } from "@/api/types";
import { formatCount } from "@/components/numbers/format";
import { words } from "@/words";
import { ACTS, type Act, FITS, useSteering } from "./acts";

const label = words.runs;

interface Props {
  /** What is steered: an act goes to those of them that it fits. */
  runs: readonly Run[];
  /** What they are called where it is asked whether they are to be cancelled; without it, by their own names. */
  names?: readonly string[];
}

/** Pause, resume, ask again or cancel what is ticked; cancelling asks once, by name. */
export function SteerButtons({ runs, names }: Props) {
  const { busy, act } = useSteering();
  const [asking, question] = useDisclosure();
  const stopping = runs.filter(FITS.cancel);
  const start = (name: Act) => {
    question.close();
    void act(name, runs);
  };
  return (
    <>
      {ACTS.filter((name) => runs.some(FITS[name])).map((name) => (
        <Button
          key={name}
          size="xs"
          variant="default"
          loading={busy === name}
          onClick={() => (name === "cancel" ? question.open() : start(name))}
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
          <Text>{label.cancelText((names ?? stopping.map(({ name }) => name)).join(", "))}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={question.close} data-autofocus>
              {label.cancelNo}
            </Button>
            <Button color="red.9" onClick={() => start("cancel")}>
              {label.cancelYes}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
