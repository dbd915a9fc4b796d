import type { ReactNode } from "react";

interface Props {
  /** The explanation, if there is one. */
  text: string | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A short form with its explanation: shown on hover by the browser, on focus and touch by the HintLayer. */
export function Hint({ text, className, children }: Props) {
  if (!text) return <span className={className}>{children}</span>;
  return (
    <abbr title={text} tabIndex={0} className={className}>
      {children}
    </abbr>
  );
}
