/**
 * Decoding options that have no field. Unset, each version of a model server would decide for itself; the command line
 * sends the same values.
 */
export const FURTHER = {
  repeat_last_n: 64,
  min_p: 0,
  typical_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  num_keep: 4,
  num_batch: 512,
};
