import { collections } from "./en/collections";
import { datasets } from "./en/datasets";
import { errors } from "./en/errors";
import { evaluation } from "./en/evaluation";
import { materials } from "./en/materials";
import { metrics } from "./en/metrics";
import { newSweep } from "./en/new-sweep";
import { numbers } from "./en/numbers";
import { run } from "./en/run";
import { settings } from "./en/settings";
import { shell } from "./en/shell";
import { sweep } from "./en/sweep";
import { sweeps } from "./en/sweeps";

export const en = {
  collections,
  datasets,
  errors,
  evaluation,
  materials,
  metrics,
  newSweep,
  numbers,
  run,
  settings,
  shell,
  sweep,
  sweeps,
};
