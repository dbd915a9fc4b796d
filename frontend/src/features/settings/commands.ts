const SECOND = /^(.*?) \(then: (.*)\)$/;

/** The commands in what a part says adds it: one, or one and then another. */
export function commandsOf(text: string): string[] {
  const [, first, second] = SECOND.exec(text) ?? [];
  return first && second ? [first, second] : [text];
}
