import { useNavigate } from "@tanstack/react-router";
import { ButtonLink } from "@/components/links";
import { useSteps } from "@/components/useSteps";
import { words } from "@/words";

interface Props {
  run: string;
  number: number;
  total: number;
}

/** To the neighbouring questions and back to the run, by button and by key. */
export function Steps({ run, number, total }: Props) {
  const navigate = useNavigate();
  const at = (place: number) =>
    ({
      to: "/runs/$id/questions/$number",
      params: { id: run, number: String(place) },
      search: true,
      resetScroll: false,
    }) as const;
  const go = (place: number) => {
    if (place >= 1 && place <= total) navigate(at(place));
  };
  useSteps({
    previous: () => go(number - 1),
    next: () => go(number + 1),
    up: () => navigate({ to: "/runs/$id", params: { id: run } }),
  });
  const label = words.evaluation;
  return (
    <>
      <ButtonLink
        {...at(number - 1)}
        disabled={number <= 1}
        variant="default"
        title={label.keys}
        aria-label={label.previousName}
      >
        {label.previous}
      </ButtonLink>
      <ButtonLink
        {...at(number + 1)}
        disabled={number >= total}
        variant="default"
        title={label.keys}
        aria-label={label.nextName}
      >
        {label.next}
      </ButtonLink>
    </>
  );
}
