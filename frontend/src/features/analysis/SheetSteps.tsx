import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { SheetQuestionDetail } from "@/api/types";
import { ButtonLink } from "@/components/links";
import { useSteps } from "@/components/useSteps";
import { words } from "@/words";
import { listOf } from "./sheetColumns";

const route = getRouteApi("/analysis/imports/$id/questions/$number");
const label = words.analysis;

interface Props {
  id: string;
  detail: SheetQuestionDetail;
}

/** To the neighbouring rows of the list and back to it, by button and by key. */
export function SheetSteps({ id, detail: { previous, next, item, place } }: Props) {
  const navigate = useNavigate();
  const list = listOf(route.useSearch(), place);
  const at = (number: number) =>
    ({
      to: "/analysis/imports/$id/questions/$number",
      params: { id, number: String(number + 1) },
      search: true,
      resetScroll: false,
    }) as const;
  const go = (number: number | null) => number !== null && navigate(at(number));
  useSteps({
    previous: () => go(previous),
    next: () => go(next),
    up: () => navigate({ to: "/analysis/imports/$id/questions", params: { id }, search: list }),
  });
  return (
    <>
      <ButtonLink
        {...at(previous ?? item.number)}
        disabled={previous === null}
        variant="default"
        title={label.keysRow}
        aria-label={label.previousRow}
      >
        {words.evaluation.previous}
      </ButtonLink>
      <ButtonLink
        {...at(next ?? item.number)}
        disabled={next === null}
        variant="default"
        title={label.keysRow}
        aria-label={label.nextRow}
      >
        {words.evaluation.next}
      </ButtonLink>
    </>
  );
}
