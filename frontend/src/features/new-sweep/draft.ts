import { PROJECT_PATH } from "@/api/project";
import { DEFAULTS, type SweepForm } from "./form";

// Names of collections and datasets of one project are not for the form of another.
const DRAFT = `passer.sweep-draft${PROJECT_PATH}`;
const LAST = `passer.sweep-last${PROJECT_PATH}`;

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
 * What the form starts with: what was typed in this tab, else the settings of the last sweep, else the defaults. Looks
 * and budget are not among them: they belong to one sweep.
 */
export function recall(): SweepForm {
  const last = read(localStorage, LAST);
  return read(sessionStorage, DRAFT) ?? (last ? { ...last, name: "", looks: null, budget: "" } : DEFAULTS);
}

/** Remember what is typed, so that going back loses nothing. */
export function keepDraft(form: SweepForm): void {
  write(sessionStorage, DRAFT, form);
}

/** A sweep was started: its settings are the next one's defaults. */
export function keepLast(form: SweepForm): void {
  write(localStorage, LAST, form);
  try {
    sessionStorage.removeItem(DRAFT);
  } catch {
    // Nothing was kept then.
  }
}
