import { usual } from "@/api/defaults";

/**
 * Decoding options that have no field. Unset, each version of a model server would decide for itself; the command line
 * sends the same values.
 */
export const FURTHER = pick(
  "repeat_last_n",
  "min_p",
  "typical_p",
  "presence_penalty",
  "frequency_penalty",
  "num_keep",
  "num_batch",
);

function pick<Name extends keyof typeof usual.options>(...names: Name[]): Pick<typeof usual.options, Name> {
  const entries = names.map((name) => [name, usual.options[name]]);
  return Object.fromEntries(entries) as Pick<typeof usual.options, Name>;
}
