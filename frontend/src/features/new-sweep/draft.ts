import { PROJECT_PATH } from "@/api/project";
import { DEFAULTS, type SweepForm } from "./form";

// Names of collections and datasets of one project, and what one account typed, are not for the form of another.
const keyOf = (name: string, account: string) =>
  `passer.sweep-${name}${PROJECT_PATH}${account && ` ${account}`}`;
const draftOf = (account: string) => keyOf("draft", account);
const lastOf = (account: string) => keyOf("last", account);

function read(storage: Storage, key: string): SweepForm | null {
  try {
    const text = storage.getItem(key);
    return text ? { ...DEFAULTS, ...JSON.parse(text) } : null;
  } catch {
    // Storage is closed to the page, or holds something else: the form starts afresh.
    return null;
  }
}

function write(storage: Storage, key: string, form: SweepForm): void {
  try {
    storage.setItem(key, JSON.stringify(form));
  } catch {
    // Without storage the form works; it is only not remembered.
  }
}

/**
 * What the form of an account starts with: what was typed in this tab, else the settings of the last sweep, else the
 * defaults. Looks and budget are not among them: they belong to one sweep. Without accounts, `account` is empty.
 */
export function recall(account: string): SweepForm {
  const last = read(localStorage, lastOf(account));
  return (
    read(sessionStorage, draftOf(account)) ??
    (last ? { ...last, name: "", looks: null, budget: "" } : DEFAULTS)
  );
}

/** Remember what is typed, so that going back loses nothing. */
export function keepDraft(account: string, form: SweepForm): void {
  write(sessionStorage, draftOf(account), form);
}

/** A sweep was started: its settings are the next one's defaults. */
export function keepLast(account: string, form: SweepForm): void {
  write(localStorage, lastOf(account), form);
  try {
    sessionStorage.removeItem(draftOf(account));
  } catch {
    // Nothing was kept then.
  }
}
