import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { ACTS, type Act, accepting, useSteering } from "@/api/steering";
import type { Run } from "@/api/types";
import { Confirm } from "@/components/Confirm";
import { forRole } from "@/components/ForRole";
import { showDone } from "@/components/notices";
import { t } from "@/words";

const NAMES: Record<Act, string> = {
  pause: t("Pause"),
  resume: t("Resume"),
  retry: t("Retry failed"),
  cancel: t("Cancel"),
};

interface Props {
  /** What is steered: an act goes to those of them that it fits. */
  runs: readonly Run[];
  /** The names of the sweeps, where whole sweeps are steered; without them runs are cancelled by their own names. */
  names?: readonly string[];
}

/** Pause, resume, ask again or cancel what is ticked; cancelling asks once, by name. */
export const SteerButtons = forRole("researcher", function SteerButtons({ runs, names }: Props) {
  const { busy, steer } = useSteering();
  const [asking, question] = useDisclosure();
  const stopping = accepting("cancel", runs);
  const start = async (act: Act) => {
    question.close();
    if (await steer(act, runs, names !== undefined)) showDone(t("Done"));
  };
  return (
    <>
      {ACTS.filter((name) => accepting(name, runs).length > 0).map((name) => (
        <Button
          key={name}
          size="xs"
          variant="default"
          loading={busy === name}
          onClick={() => (name === "cancel" ? question.open() : start(name))}
        >
          {NAMES[name]}
        </Button>
      ))}
      <Confirm
        isOpen={asking}
        title={t("{count, plural, one {Cancel this run?} other {Cancel these # runs?}}", {
          count: stopping.length,
        })}
        text={t("{names}: results so far are kept.", {
          names: (names ?? stopping.map(({ name }) => name)).join(", "),
        })}
        keep={t("Keep running")}
        confirm={t("Cancel runs")}
        onConfirm={() => start("cancel")}
        onClose={question.close}
      />
    </>
  );
});
