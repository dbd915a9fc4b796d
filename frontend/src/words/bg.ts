import type { Words } from ".";
import { analysis } from "./bg/analysis";
import { audit } from "./bg/audit";
import { chat } from "./bg/chat";
import { collections } from "./bg/collections";
import { compare } from "./bg/compare";
import { crossing } from "./bg/crossing";
import { datasets } from "./bg/datasets";
import { errors } from "./bg/errors";
import { evaluation } from "./bg/evaluation";
import { failures } from "./bg/failures";
import { figures } from "./bg/figures";
import { materials } from "./bg/materials";
import { metrics } from "./bg/metrics";
import { newSweep } from "./bg/new-sweep";
import { numbers } from "./bg/numbers";
import { run } from "./bg/run";
import { runs } from "./bg/runs";
import { settings } from "./bg/settings";
import { shell } from "./bg/shell";
import { sweep } from "./bg/sweep";
import { sweeps } from "./bg/sweeps";
import { tables } from "./bg/tables";
import { told } from "./bg/told";
import { wallet } from "./bg/wallet";

export const bg: Words = {
  analysis,
  audit,
  chat,
  collections,
  compare,
  crossing,
  datasets,
  errors,
  evaluation,
  failures,
  figures,
  materials,
  metrics,
  newSweep,
  numbers,
  run,
  runs,
  settings,
  shell,
  sweep,
  sweeps,
  tables,
  told,
  wallet,
};
