import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { Markdown } from "@/components/Markdown";
import { t } from "@/words";
import classes from "./rating.module.css";

/** One of two answers to choose from. */
export function ShownAnswer({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children?: ReactNode;
}) {
  return (
    <section aria-label={title} className={classes.answer}>
      <Stack gap={4}>
        <h2>{title}</h2>
        <div className={classes.text}>{text ? <Markdown text={text} /> : t("(empty answer)")}</div>
        {children}
      </Stack>
    </section>
  );
}
