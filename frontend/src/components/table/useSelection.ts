import { useState } from "react";

/** Which rows are ticked, by their keys; over all pages. */
export function useSelection() {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  return {
    keys,
    has: (key: string) => keys.has(key),
    put: (changed: readonly string[], isOn: boolean) => {
      const next = new Set(keys);
      for (const key of changed)
        if (isOn) next.add(key);
        else next.delete(key);
      setKeys(next);
    },
    clear: () => setKeys(new Set()),
  };
}

export type Selection = ReturnType<typeof useSelection>;
