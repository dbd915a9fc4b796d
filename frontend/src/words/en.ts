import { errors } from "./en/errors";
import { evaluation } from "./en/evaluation";
import { materials } from "./en/materials";
import { newSweep } from "./en/new-sweep";
import { numbers } from "./en/numbers";
import { run } from "./en/run";
import { shell } from "./en/shell";
import { sweep } from "./en/sweep";
import { sweeps } from "./en/sweeps";

export const en = { errors, evaluation, materials, newSweep, numbers, run, shell, sweep, sweeps };
