import { Note } from "@/components/Note";
import { t } from "@/words";

/** Why a sweep before its end shows no gains, as the server refuses them too. */
export function Withheld() {
  return (
    <Note>
      {t(
        "Results are shown when the sweep is finished or cancelled: looking at gains before the planned end makes wrong verdicts more likely.",
      )}
    </Note>
  );
}
