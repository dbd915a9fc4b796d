/** Every message by its key, and everything that is wrong in the sources. */
export function extract(folder: string): { messages: Map<string, string>; wrong: string[] };
/** What is wrong with a catalogue beside the messages of the sources. */
export function compare(
  messages: Map<string, string>,
  catalogue: Record<string, string>,
  isWhole?: boolean,
): string[];
/** Placeholders of a message, and what is wrong with its syntax or plurals. */
export function read(message: string): { names: string[]; wrong: string[] };
