import { Title } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { useArrival } from "@/components/useArrival";
import classes from "./Part.module.css";

interface Props {
  /** Its place in the address, and how its tables' keys begin there. */
  id: string;
  title: string;
  /** What is in it, for whom it is folded. */
  about: string;
  children: ReactNode;
}

/** What is not needed first: folded as the reader left it, and open where the address names it and on paper. */
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
    addEventListener("beforeprint", before);
    addEventListener("afterprint", after);
    return () => {
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", after);
    };
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
