import { analysis } from "./en/analysis";
import { audit } from "./en/audit";
import { chat } from "./en/chat";
import { collections } from "./en/collections";
import { compare } from "./en/compare";
import { crossing } from "./en/crossing";
import { datasets } from "./en/datasets";
import { errors } from "./en/errors";
import { evaluation } from "./en/evaluation";
import { failures } from "./en/failures";
import { figures } from "./en/figures";
import { materials } from "./en/materials";
import { metrics } from "./en/metrics";
import { newSweep } from "./en/new-sweep";
import { numbers } from "./en/numbers";
import { run } from "./en/run";
import { runs } from "./en/runs";
import { settings } from "./en/settings";
import { shell } from "./en/shell";
import { sweep } from "./en/sweep";
import { sweeps } from "./en/sweeps";
import { tables } from "./en/tables";
import { told } from "./en/told";
import { wallet } from "./en/wallet";

export const en = {
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
