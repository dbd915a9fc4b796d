import { Title } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { onPrint } from "@/components/printing";
import { useArrival } from "@/components/useArrival";
import classes from "./Part.module.css";

interface Props {
  /** Its fragment in the address; the keys of its tables begin with it too. */
  id: string;
  title: string;
  /** What the part shows, in a few words that stay visible while it is folded. */
  about: string;
  children: ReactNode;
}

/**
 * A part of the page that is not needed first: folded or open as the reader left it, and open where the address names it
 * and in print.
 */
export function Part({ id, title, about, children }: Props) {
  const heading = useId();
  const details = useRef<HTMLDetailsElement>(null);
  /** Unfolded for the printer alone, so that the reader's choice is not changed. */
  const printed = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useLocalStorage({
    key: `passer.sweep.${id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const isNamed = useLocation({
    select: ({ hash, search }) =>
      hash === id || Object.entries(search).some(([key, value]) => key.startsWith(id) && value !== undefined),
  });
  useEffect(() => {
    if (isNamed) setOpen(true);
  }, [isNamed, setOpen]);
  useArrival(isOpen, id);
  useEffect(() => {
    const before = () => {
      printed.current = details.current?.open ? null : details.current;
      if (printed.current) printed.current.open = true;
    };
    const after = () => {
      if (printed.current) printed.current.open = false;
      printed.current = null;
    };
    return onPrint(before, after, true);
  }, []);
  return (
    <section aria-labelledby={heading} id={id} className={classes.part}>
      <details
        ref={details}
        open={isOpen}
        onToggle={({ currentTarget }) => printed.current === null && setOpen(currentTarget.open)}
      >
        <summary>
          <Title order={2} id={heading}>
            {title}
          </Title>
          <span className={classes.about}>{about}</span>
        </summary>
        <div className={classes.content}>{children}</div>
      </details>
    </section>
  );
}
