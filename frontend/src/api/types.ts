import type { RunConfig, SweepVerdict } from "./models";

/** The server's models under their own names; nothing is mapped. */
export type * from "./models";
export type Conclusion = SweepVerdict["conclusions"][number];
export type Retriever = NonNullable<RunConfig["retriever"]>;

/** What may be sent: whatever has a default on the server can be left out. */
export type Sending<T> = T extends readonly (infer Item)[]
  ? Sending<Item>[]
  : T extends object
    ? { [Key in keyof T]?: Sending<T[Key]> | undefined }
    : T;
