import type { Model } from "@/api/types";

export const BUILT_IN = "extractive/extractive";
const AT = " @ ";

type Named = Pick<Model, "provider" | "name"> & Partial<Pick<Model, "base_url" | "connection">>;

/** `provider/tag` or `provider@connection/tag`, as on the command line; an address of its own comes after it. */
export function modelValue({ provider, name, base_url, connection }: Named): string {
  return `${provider}${connection ? `@${connection}` : ""}/${name}${base_url ? AT + base_url : ""}`;
}

/** The model of such a value. */
export function modelOf(value: string): Named {
  const [model = "", address] = value.split(AT);
  const slash = model.indexOf("/");
  const [provider, connection] = model.slice(0, slash).split("@");
  return {
    provider: provider as Model["provider"],
    name: model.slice(slash + 1),
    ...(connection ? { connection } : {}),
    ...(address ? { base_url: address } : {}),
  };
}
