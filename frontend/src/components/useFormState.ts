import { type Dispatch, type SetStateAction, useEffect, useState } from "react";

const NAME = "passer.kept";
/** Set while something is kept, so that a page that begins need not open a database to see that nothing is. */
const FLAG = "passer.kept";
const STORE = "forms";

/** What forms hold now, by address and name. */
const held = new Map<string, unknown>();
/** What they held before the page came again. */
const restored = await taken();

/**
 * A state that survives `keepForms` and the reload after it: what has been typed into a form, and files, which only an
 * IndexedDB can hold. The name is unique on its page.
 */
export function useFormState<T>(name: string, initial: T): [T, Dispatch<SetStateAction<T>>] {
  const [key] = useState(() => `${globalThis.location.pathname} ${name}`);
  const [value, set] = useState<T>(() => (restored.has(key) ? (restored.get(key) as T) : initial));
  useEffect(() => {
    held.set(key, value);
    return () => {
      held.delete(key);
    };
  }, [key, value]);
  // A form that is opened a second time begins afresh.
  useEffect(() => {
    restored.delete(key);
  }, [key]);
  return [value, set];
}

/** Keep what all forms of the page hold, for the page that comes next. */
export async function keepForms(): Promise<void> {
  if (held.size === 0) return;
  try {
    const store = (await opened()).transaction(STORE, "readwrite").objectStore(STORE);
    await done(store.put(new Map(held), STORE));
    sessionStorage.setItem(FLAG, "1");
  } catch {
    // Without storage, or with files that are too large for it, the forms begin afresh.
  }
}

/** What was kept, which is then forgotten. */
async function taken(): Promise<Map<string, unknown>> {
  try {
    if (sessionStorage.getItem(FLAG) === null) return new Map();
    sessionStorage.removeItem(FLAG);
    const database = await opened();
    const found = await done(database.transaction(STORE).objectStore(STORE).get(STORE));
    database.close();
    indexedDB.deleteDatabase(NAME);
    return found instanceof Map ? found : new Map();
  } catch {
    return new Map();
  }
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(STORE);
  };
  return done(request);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
