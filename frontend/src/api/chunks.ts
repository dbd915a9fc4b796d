import { offline } from "./client";

const RETRY_MS = 2000;

type Importer<Module> = () => Promise<Module>;

/** Code that a page needs: where its file does not come, the connection is lost, as with any other request. */
export function needed<Module>(importer: Importer<Module>): Importer<Module> {
  return () =>
    importer().catch(() => {
      throw offline();
    });
}

/** Code that a page can do without for a while: requested again until it is there. */
export function optional<Module>(importer: Importer<Module>): Importer<Module> {
  return async () => {
    for (;;) {
      try {
        return await importer();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  };
}

/** Whether the server of this page answers. */
export async function answers(): Promise<boolean> {
  return fetch("/health", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
}
