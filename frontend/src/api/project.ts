/** What comes before all addresses of the project that this page shows; nothing for the project `default`. */
export const PROJECT_PATH = /^\/projects\/[^/]+/.exec(globalThis.location?.pathname ?? "")?.[0] ?? "";

/** Address on the server of something in this project: of a file, or of events. */
export const inProject = (path: string): string => PROJECT_PATH + path;

/** First page of a project. */
export const pathOf = (project: string): string => (project === "default" ? "/" : `/projects/${project}/`);
