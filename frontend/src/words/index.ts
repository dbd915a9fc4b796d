import { en } from "./en";

/** Every sentence on screen. A second language is a second object of this shape. */
export type Words = typeof en;

export const words: Words = en;
