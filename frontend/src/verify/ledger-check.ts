/** What a bundle holds of the ledger: whether its rows say what manifest and records say, and fit together. */
import { actionsOf, entryOf, NotPacked, type PackedAction } from "./antelope";
import { digestOf, encoded, hex, sha256, unhexed } from "./bytes";
import { canonical } from "./canonical";
import { meansOf, scoresOf, timesOf, type Values, vectorOf } from "./figures";
import {
  type Action,
  type ChainPlace,
  COLUMNS,
  type Entry,
  type EntryDocument,
  LOCAL_TIMES,
  LONGEST_DESCRIPTION,
  type LocalPlace,
  type Manifest,
  MODEL_TIMES,
  NOT_RECORDED,
  type QuestionRecord,
  type Receipt,
  type Transaction,
} from "./forms";
import { type Bundle, failAt, sealOf } from "./run-check";
import { CHAIN_STEPS, type Gap, type StepName, type Wrong } from "./steps";

const MEMBER = "entry.json";
const NOTHING_BEFORE = "0".repeat(64);
const LEDGER_STEPS = [
  "run_entry",
  "question_entries",
  "local_ledger",
  "transaction_id",
  "action",
] as const satisfies StepName[];
const FIELDS = ["action", "testid", "description", "results", "run_digest", "config_digest"] as const;
const NAME_LETTERS = "abcdefghijklmnopqrstuvwxyz12345";
const BLOCK_NUMBER_DIGITS = 8;

/** A receipt with the path at which it stands, and the number of its question. */
interface Placed {
  path: string;
  receipt: Receipt;
  number: number | null;
}

function placedOf(document: EntryDocument): Placed[] {
  const found: Placed[] = [];
  for (const name of ["run", "questions", "run_times", "question_times"] as const) {
    const held = document[name];
    if (held === NOT_RECORDED) continue;
    if (Array.isArray(held)) {
      for (const [number, receipt] of held.entries()) {
        found.push({ path: `${name}[${number}]`, receipt, number });
      }
    } else found.push({ path: name, receipt: held, number: null });
  }
  return found;
}

/** Every step about the ledger, those that only a chain can confirm among them: none is asked here. */
export async function checkLedger(bundle: Bundle): Promise<void> {
  const document = bundle.entry?.value ?? null;
  const placed = document ? placedOf(document) : [];
  await checkEntry(bundle, document, placed);
  if (!document || placed.length === 0) {
    const why = document ? "not_recorded" : "entry_unreadable";
    for (const name of [...LEDGER_STEPS, ...CHAIN_STEPS]) bundle.steps.skipped(name, why);
    return;
  }
  await checkRunEntry(bundle, document, placed);
  await checkQuestionEntries(bundle, placed);
  await checkLocalLedger(bundle, placed);
  await checkTransactionIds(bundle, document);
  checkActions(bundle, document, placed);
  for (const name of CHAIN_STEPS) bundle.steps.skipped(name, whyNoChain(bundle, document));
}

function whyNoChain({ steps }: Bundle, document: EntryDocument): Gap {
  if (document.transactions.length === 0) return "in_a_local_ledger";
  const holds = (["entry", "transaction_id", "action"] as const).every(
    (name) => steps.outcome(name) === "pass",
  );
  return holds ? "no_chain_asked" : "transactions_do_not_hold";
}

async function checkEntry(bundle: Bundle, document: EntryDocument | null, placed: Placed[]): Promise<void> {
  const { entry, records, steps } = bundle;
  if (!entry) steps.skipped("entry", "absent", MEMBER);
  else if (entry.wrong) steps.failed("entry", entry.wrong, { member: MEMBER });
  else if (document) {
    const wrong =
      tooLarge(document) ??
      (await unsealed(document, placed)) ??
      misplaced(document, placed, records.records.length);
    if (wrong) failAt(bundle, "entry", MEMBER, wrong);
    else steps.passed("entry", String(placed.length));
  }
}

/** An integer beyond 2^53 has no exact double. */
function tooLarge({ transactions }: EntryDocument): Wrong | null {
  const place = transactions.findIndex(
    ({ block_number }) => block_number !== null && !Number.isSafeInteger(block_number),
  );
  return place < 0 ? null : { why: "number_too_large", field: `transactions[${place}].block_number` };
}

async function unsealed(document: EntryDocument, placed: Placed[]): Promise<Wrong | null> {
  const wrong = (field: string, number: number | null = null): Wrong => ({ why: "unsealed", field, number });
  if ((await sealOf(document.manifest)) !== document.seals.manifest) return wrong("manifest");
  for (const { path, receipt, number } of placed) {
    for (const part of ["place", "recorded_at"] as const) {
      if ((await sealOf(receipt[part])) !== receipt.seals[part]) return wrong(`${path}.${part}`, number);
    }
  }
  for (const [number, { seals, ...values }] of document.transactions.entries()) {
    const parts = values as Record<string, unknown>;
    for (const part of [...new Set([...Object.keys(parts), ...Object.keys(seals)])].sort()) {
      const isSealed = Object.hasOwn(parts, part) && seals[part] === (await sealOf(parts[part]));
      if (!isSealed) return wrong(`transactions[${number}].${part}`);
    }
  }
  return null;
}

/** Rows that are too many, too few, or in a place that another has. */
function misplaced(document: EntryDocument, placed: Placed[], questions: number): Wrong | null {
  if (placed.length > 0 && document.run === NOT_RECORDED) return { why: "no_run_row", field: "run" };
  for (const name of ["questions", "question_times"] as const) {
    const held = document[name];
    if (held !== NOT_RECORDED && held.length !== questions) {
      return { why: "other_row_count", facts: [String(held.length), String(questions)], field: name };
    }
  }
  return wrongPlace(document.transactions.length, placed);
}

function wrongPlace(transactions: number, placed: Placed[]): Wrong | null {
  const taken = new Set<string>();
  let order = 0;
  for (const { path, receipt, number } of placed) {
    const { place } = receipt;
    const key = place.kind === "chain" ? `${place.transaction}/${place.action_index}` : `${place.sequence}`;
    if (taken.has(key)) return { why: "same_place", field: `${path}.place`, number };
    taken.add(key);
    if (place.kind === "local") continue;
    if (place.transaction > order || place.transaction >= transactions) {
      return { why: "not_next_transaction", field: `${path}.place.transaction`, number };
    }
    order = Math.max(order, place.transaction + 1);
  }
  return order === transactions ? null : { why: "unused_transaction", field: `transactions[${order}]` };
}

/** Makes the entries that follow from a run. */
class EntryMaker {
  private constructor(
    private readonly run: string,
    private readonly config: string,
    private readonly testid: string,
  ) {}

  static async of({ run, config_digest }: Manifest): Promise<EntryMaker> {
    let number = BigInt(`0x${await digestOf(run.id)}`);
    let testid = "";
    for (let place = 0; place < 12; place++) {
      testid += NAME_LETTERS[Number(number % 31n)];
      number /= 31n;
    }
    return new EntryMaker(run.id, config_digest, testid);
  }

  ofRun(action: Action, means: Values, digest: string): Entry {
    return this.entry(action, `run ${this.run}`, means, digest);
  }

  async ofQuestion(action: Action, values: Values, id: string, leaf: string): Promise<Entry> {
    const whole = `run ${this.run} question ${id}`;
    const isShort = encoded(whole).length <= LONGEST_DESCRIPTION;
    const description = isShort ? whole : `run ${this.run} question sha256:${await digestOf(id)}`;
    return this.entry(action, description, values, leaf);
  }

  private entry(action: Action, description: string, values: Values, run_digest: string): Entry {
    const { testid, config: config_digest } = this;
    return { action, testid, description, results: vectorOf(values), run_digest, config_digest };
  }
}

/** Name of the first field that differs. */
function otherField(entry: Entry, expected: Entry): string | null {
  const isSameValue = (name: (typeof FIELDS)[number]) =>
    name === "results"
      ? entry.results.length === expected.results.length &&
        entry.results.every((value, place) => value === expected.results[place])
      : entry[name] === expected[name];
  return FIELDS.find((name) => !isSameValue(name)) ?? null;
}

/** The nine times of each question; null where a record or its times are broken. */
function rowsOfTimes({ records, timings }: Bundle): Values[] | null {
  if (!records.whole || timings.wrong.length > 0) return null;
  return records.whole.map((record, number) => {
    const timing = timings.timings[number];
    return timing ? timesOf(record, timing) : [];
  });
}

async function checkRunEntry(bundle: Bundle, document: EntryDocument, placed: Placed[]): Promise<void> {
  const { steps, manifest } = bundle;
  if (!manifest?.value) {
    steps.skipped("run_entry", "manifest_unreadable");
    return;
  }
  const maker = await EntryMaker.of(manifest.value);
  const { means } = manifest.value;
  const values = COLUMNS.map((column) => means[column]?.mean ?? null);
  const expected: Record<string, Entry> = { run: maker.ofRun("addtest", values, manifest.digest) };
  if (document.run_times !== NOT_RECORDED) {
    const rows = rowsOfTimes(bundle);
    if (!rows) {
      steps.skipped("run_entry", "times_broken");
      return;
    }
    const times = meansOf(rows, MODEL_TIMES.length + LOCAL_TIMES.length).map(({ mean }) => mean);
    expected.run_times = maker.ofRun("addtimetest", times, manifest.digest);
  }
  for (const { path, receipt, number } of placed) {
    const wanted = expected[path];
    const other = number === null && wanted ? otherField(receipt.entry, wanted) : null;
    if (other !== null) {
      blameRun(bundle, path, other);
      return;
    }
  }
  steps.passed("run_entry", manifest.digest);
}

/** A row of the run and the manifest say different things: the manifest, if its seals say that it changed. */
function blameRun({ steps, changed }: Bundle, path: string, other: string): void {
  if (changed[0] !== undefined) {
    const wrong = { why: "other_manifest", facts: [changed.join(", ")], field: changed[0] } as const;
    steps.failed("run_entry", wrong, { member: "manifest.json" });
  } else {
    const wrong = { why: "run_row_differs", facts: [other], field: `${path}.entry.${other}` } as const;
    steps.failed("run_entry", wrong, { member: MEMBER });
  }
}

async function checkQuestionEntries(bundle: Bundle, placed: Placed[]): Promise<void> {
  const { steps, records } = bundle;
  const ofQuestions = placed.filter(({ number }) => number !== null);
  const manifest = bundle.manifest?.value;
  if (ofQuestions.length === 0) {
    steps.skipped("question_entries", "run_alone");
    return;
  }
  const needsTimes = ofQuestions.some(({ path }) => path.startsWith("question_times"));
  const rows = needsTimes ? rowsOfTimes(bundle) : null;
  if (!manifest || !records.whole || (needsTimes && !rows) || steps.outcome("entry") !== "pass") {
    steps.skipped("question_entries", "parts_broken");
    return;
  }
  const maker = await EntryMaker.of(manifest);
  for (const item of ofQuestions) {
    const number = item.number ?? 0;
    const times = item.path.startsWith("question_times") ? rows?.[number] : undefined;
    const { id, scores } = records.whole[number] as QuestionRecord;
    const leaf = records.leaves[number] ?? "";
    const action = times ? "addtimetest" : "addtest";
    const expected = await maker.ofQuestion(action, times ?? scoresOf(scores), id, leaf);
    const other = otherField(item.receipt.entry, expected);
    if (other !== null) {
      blameQuestion(bundle, item.path, number, other);
      return;
    }
  }
  steps.passed("question_entries", String(ofQuestions.length));
}

/** A question's row and its record say different things: the record, if its leaf is not the noted one. */
function blameQuestion(bundle: Bundle, path: string, number: number, other: string): void {
  const noted = bundle.noted.get(number);
  if (noted && noted.leaf !== bundle.records.leaves[number]) {
    failAt(bundle, "question_entries", "questions.jsonl", { why: "other_record", number });
  } else {
    const field = `${path}.entry.${other}`;
    failAt(bundle, "question_entries", MEMBER, {
      why: "question_row_differs",
      facts: [other],
      field,
      number,
    });
  }
}

function isLocal(item: Placed): item is Placed & { receipt: { place: LocalPlace } } {
  return item.receipt.place.kind === "local";
}

function isOnChain(item: Placed): item is Placed & { receipt: { place: ChainPlace } } {
  return item.receipt.place.kind === "chain";
}

async function checkLocalLedger(bundle: Bundle, placed: Placed[]): Promise<void> {
  const local = placed
    .filter(isLocal)
    .sort((one, other) => one.receipt.place.sequence - other.receipt.place.sequence);
  if (local.length === 0) {
    bundle.steps.skipped("local_ledger", "on_a_chain");
    return;
  }
  let before: LocalPlace | null = null;
  for (const { path, number, receipt } of local) {
    const { place, entry, recorded_at } = receipt;
    const { previous, sequence } = place;
    const digest = await digestOf(canonical({ entry, previous, recorded_at, sequence }));
    if (digest !== place.digest) {
      failAt(bundle, "local_ledger", MEMBER, {
        why: "other_local_digest",
        field: `${path}.place.digest`,
        number,
      });
      return;
    }
    if (!links(place, before)) {
      failAt(bundle, "local_ledger", MEMBER, {
        why: "does_not_link",
        field: `${path}.place.previous`,
        number,
      });
      return;
    }
    before = place;
  }
  bundle.steps.passed("local_ledger", String(local.length), before?.digest ?? "");
}

function links(place: LocalPlace, before: LocalPlace | null): boolean {
  const follows = before !== null && before.sequence + 1 === place.sequence;
  if (!follows && place.sequence !== 1) return true;
  return place.previous === (follows ? before?.digest : NOTHING_BEFORE);
}

async function checkTransactionIds({ steps }: Bundle, { transactions }: EntryDocument): Promise<void> {
  if (transactions.length === 0) {
    steps.skipped("transaction_id", "in_a_local_ledger");
    return;
  }
  for (const [number, transaction] of transactions.entries()) {
    const wrong = await transactionWrong(transaction);
    if (wrong) {
      const field = `transactions[${number}].${wrong.field}`;
      steps.failed("transaction_id", { ...wrong, field }, { member: MEMBER });
      return;
    }
  }
  steps.passed("transaction_id", String(transactions.length));
}

async function transactionWrong(transaction: Transaction): Promise<Wrong | null> {
  const { packed_transaction, transaction_id, block_id, block_number } = transaction;
  if (hex(await sha256(unhexed(packed_transaction))) !== transaction_id) {
    return { why: "other_transaction_id", field: "transaction_id" };
  }
  if ((block_id === null) !== (block_number === null)) return { why: "half_a_block", field: "block_id" };
  if (block_id !== null && Number.parseInt(block_id.slice(0, BLOCK_NUMBER_DIGITS), 16) !== block_number) {
    return { why: "other_block_number", field: "block_id" };
  }
  return null;
}

function checkActions(bundle: Bundle, { transactions }: EntryDocument, placed: Placed[]): void {
  const { steps } = bundle;
  if (steps.outcome("transaction_id") !== "pass" || steps.outcome("entry") !== "pass") {
    steps.skipped("action", transactions.length === 0 ? "no_transaction" : "entry_does_not_hold");
    return;
  }
  const unpacked: PackedAction[][] = [];
  for (const [number, transaction] of transactions.entries()) {
    const actions = orNothing(() => actionsOf(transaction.packed_transaction));
    if (!actions) {
      const field = `transactions[${number}].packed_transaction`;
      steps.failed("action", { why: "no_transaction_bytes", field }, { member: MEMBER });
      return;
    }
    unpacked.push(actions);
  }
  for (const { path, receipt, number } of placed.filter(isOnChain)) {
    const { place, entry } = receipt;
    const stated = transactions[place.transaction] as Transaction;
    const wrong = actionWrong(entry, place.action_index, stated, unpacked[place.transaction] ?? []);
    if (wrong) {
      failAt(bundle, "action", MEMBER, { ...wrong, field: `${path}.place.action_index`, number });
      return;
    }
  }
  steps.passed("action", String(placed.length));
}

function actionWrong(
  entry: Entry,
  place: number,
  stated: Transaction,
  actions: PackedAction[],
): Wrong | null {
  const action = actions[place];
  if (!action) return { why: "too_few_actions", facts: [String(actions.length)] };
  const recorded = orNothing(() => entryOf(action));
  if (!recorded) return { why: "no_entry_in_action" };
  if (action.account !== stated.contract || recorded.creator !== stated.creator) {
    return {
      why: "other_account",
      facts: [recorded.creator, action.account, stated.creator, stated.contract],
    };
  }
  const other = otherField(recorded.entry, entry);
  return other === null ? null : { why: "action_differs", facts: [other] };
}

function orNothing<T>(unpack: () => T): T | null {
  try {
    return unpack();
  } catch (refused) {
    if (refused instanceof NotPacked) return null;
    throw refused;
  }
}
