/** One thing wrong with what was given: the field or row it stands in, and what to do about it. */
export interface FieldProblem {
  field?: string | null;
  row?: number | null;
  message: string;
}

/** The only error that leaves `api/`: the server's problem document (RFC 9457), or that it did not reply. */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;
  readonly errors: readonly FieldProblem[];

  constructor(status: number, title: string, detail: string, errors: readonly FieldProblem[] = []) {
    super(detail);
    this.name = "Problem";
    this.status = status;
    this.title = title;
    this.errors = errors;
  }

  /** Whether the server could not be reached at all. */
  get isOffline(): boolean {
    return this.status === 0;
  }

  /** Whether there is nothing at that address. */
  get isMissing(): boolean {
    return this.status === 404;
  }

  /** Messages by form field, for those that name one; the first message of a field counts. */
  get fields(): Record<string, string> {
    const byField: Record<string, string> = {};
    for (const { field, message } of this.errors) {
      if (field && !(field in byField)) byField[field] = message;
    }
    return byField;
  }
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function fieldProblem(value: unknown): FieldProblem[] {
  if (typeof value !== "object" || value === null) return [];
  const { field, row, message } = value as Record<string, unknown>;
  if (!text(message)) return [];
  return [{ field: text(field), row: typeof row === "number" ? row : null, message: String(message) }];
}

/** Read a reply that is not a success; a body that is no problem document still gives a sentence. */
export function readProblem(status: number, body: unknown, fallback: string): Problem {
  if (typeof body !== "object" || body === null) return new Problem(status, fallback, fallback);
  const { title, detail, errors } = body as Record<string, unknown>;
  const found = Array.isArray(errors) ? errors.flatMap(fieldProblem) : [];
  const sentence = text(detail) ?? found[0]?.message ?? text(title) ?? fallback;
  return new Problem(status, text(title) ?? fallback, sentence, found);
}

/** The sentence of whatever a query was refused with. */
export function sentenceOf(error: unknown): string {
  return error instanceof Problem ? error.message : "";
}
