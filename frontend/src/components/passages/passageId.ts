/** The id of the element with a passage, by its number in the prompt, from 1. */
export const passageId = (number: number) => `passage-${number}`;
