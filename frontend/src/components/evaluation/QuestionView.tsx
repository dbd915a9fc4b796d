import { Grid, Stack } from "@mantine/core";
import { type LinkOptions, useNavigate } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";
import { ButtonLink, SmallLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { useSteps } from "@/components/useSteps";
import { t } from "@/words";
import { Answers } from "./Answers";

interface Props extends StepsProps {
  title: string;
  /** Name of the list. */
  listName: string;
  /** Shown next to the title: a state. */
  beside?: ReactNode;
  lead?: ReactNode;
  /** Below the heading: the same question elsewhere. */
  strip?: ReactNode;
  detail: ComponentProps<typeof Answers>["detail"];
  /** Scores and timings. */
  measured: ReactNode;
  /** Passages and prompt, where they are known. */
  children?: ReactNode;
}

/** One question with its answer, whole, whether a run asked it or a sheet holds it. */
export function QuestionView({
  title,
  listName,
  beside,
  lead,
  strip,
  detail,
  measured,
  children,
  ...steps
}: Props) {
  return (
    <>
      <PageHead
        title={title}
        trail={<SmallLink {...(steps.list as { to: "/" })}>{listName}</SmallLink>}
        beside={beside}
        lead={lead}
        actions={<Steps {...steps} />}
      />
      {strip}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="lg">
            <Answers detail={detail} />
            {children}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack gap="lg">{measured}</Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

interface StepsProps {
  /** Where the question was opened from. */
  list: LinkOptions;
  /** The neighbours in that list. */
  previous: LinkOptions | null;
  next: LinkOptions | null;
  /** What the ways are called. */
  names: { previous: string; next: string; keys: string };
}

/** To the neighbours and back to the list, by button and by key. */
function Steps({ list, previous, next, names }: StepsProps) {
  const navigate = useNavigate();
  const go = (goal: LinkOptions | null) => () => void (goal && navigate({ ...goal, resetScroll: false }));
  useSteps({ previous: go(previous), next: go(next), up: () => navigate(list) });
  const button = (goal: LinkOptions | null, name: string, text: string) => (
    <ButtonLink
      {...((goal ?? list) as { to: "/" })}
      resetScroll={false}
      disabled={goal === null}
      variant="default"
      title={names.keys}
      aria-label={name}
    >
      {text}
    </ButtonLink>
  );
  return (
    <>
      {button(previous, names.previous, t("Previous"))}
      {button(next, names.next, t("Next"))}
    </>
  );
}
