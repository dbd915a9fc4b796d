/** The entries that follow from a run, to hold recorded ones against. */
import { digestOf, encoded } from "./bytes";
import { type Values, vectorOf } from "./figures";
import { type Action, type Entry, LONGEST_DESCRIPTION, type Manifest } from "./forms";

const FIELDS = ["action", "testid", "description", "results", "run_digest", "config_digest"] as const;
const NAME_LETTERS = "abcdefghijklmnopqrstuvwxyz12345";

/** Makes the entries that follow from a run. */
export class EntryMaker {
  private constructor(
    private readonly run: string,
    private readonly config: string,
    private readonly testid: string,
  ) {}

  static async of({ run, config_digest }: Manifest): Promise<EntryMaker> {
    return new EntryMaker(run.id, config_digest, await testidOf(run.id));
  }

  /** Of a study, whose rows name its sweep. */
  static async ofStudy(sweep: string, design: string): Promise<EntryMaker> {
    return new EntryMaker(sweep, design, await testidOf(sweep));
  }

  ofStudy(numbers: Values, digest: string, isOfSheets: boolean): Entry {
    const description = `study of ${isOfSheets ? "import" : "sweep"} ${this.run}`;
    return this.entry("addtest", description, numbers, digest);
  }

  ofRegistration(numbers: Values, digest: string): Entry {
    return this.entry("addtest", `registration of sweep ${this.run}`, numbers, digest);
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

/** The twelve letters that name a run, or a study's sweep, in the ledger. */
async function testidOf(id: string): Promise<string> {
  let number = BigInt(`0x${await digestOf(id)}`);
  let testid = "";
  for (let place = 0; place < 12; place++) {
    testid += NAME_LETTERS[Number(number % 31n)];
    number /= 31n;
  }
  return testid;
}

/** Name of the first field that differs. */
export function otherField(entry: Entry, expected: Entry): string | null {
  const isSameValue = (name: (typeof FIELDS)[number]) =>
    name === "results"
      ? entry.results.length === expected.results.length &&
        entry.results.every((value, place) => value === expected.results[place])
      : entry[name] === expected[name];
  return FIELDS.find((name) => !isSameValue(name)) ?? null;
}
