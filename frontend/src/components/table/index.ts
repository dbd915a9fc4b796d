/** A table is declared by its columns; how it is drawn is this folder's own. */
export type { Column } from "./columns";
export { DataTable } from "./DataTable";
export * from "./drawn";
export * from "./kinds";
