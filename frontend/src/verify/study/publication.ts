/** CITATION.cff and ro-crate-metadata.json against study.json: docs/study.md, "Members". */
import { type Bytes, decoded } from "../bytes";
import { canonical, type Json, readCanonical } from "../canonical";
import type { StudyDocument } from "./form";

type Entity = Record<string, Json>;

const CRATE = "ro-crate-metadata.json";
const KEYS = [
  "cff-version",
  "message",
  "type",
  "title",
  "authors",
  "  - name",
  "date-released",
  "license",
  "abstract",
  "",
];

/** The first member whose facts are not those of study.json, with the fact; null where both agree. */
export function otherPublication(
  study: StudyDocument,
  members: Readonly<Record<string, Bytes>>,
): { member: string; field: string } | null {
  const cited = otherInCitation(study, members["CITATION.cff"]);
  if (cited) return { member: "CITATION.cff", field: cited };
  const listed = otherInCrate(study, members[CRATE]);
  return listed ? { member: CRATE, field: listed } : null;
}

function otherInCitation(study: StudyDocument, content: Bytes | undefined): string | null {
  const lines = (content && decoded(content))?.split("\n");
  if (!lines) return "title";
  const names = study.authors.length > 0 ? study.authors : ["anonymous"];
  const facts: [string, string, string[]][] = [
    ["title", "title", [study.title]],
    ["authors", "  - name", names],
    ["finished_at", "date-released", [[...study.finished_at].slice(0, 10).join("")]],
    ["licence", "license", study.licence ? [study.licence] : []],
  ];
  for (const [field, key, values] of facts) {
    const stated = lines.filter((line) => keyOf(line) === key);
    const expected = values.map((value) => `${key}: ${JSON.stringify(value)}`);
    if (stated.join("\n") !== expected.join("\n")) return field;
  }
  return lines.every((line) => KEYS.includes(keyOf(line))) ? null : "title";
}

function keyOf(line: string): string {
  return line.split(":")[0] ?? "";
}

function otherInCrate(study: StudyDocument, content: Bytes | undefined): string | null {
  const entities = content && entitiesOf(content);
  const root = entities?.get("./");
  if (!entities || !root) return "title";
  const people = study.authors.map((name, place) => ({ id: `#author-${place + 1}`, name }));
  const facts: [key: string, field: string, value: Json][] = [
    ["name", "title", study.title],
    ["author", "authors", people.length > 0 ? people.map(({ id }) => ({ "@id": id })) : null],
    ["license", "licence", study.licence ? { "@id": `https://spdx.org/licenses/${study.licence}` } : null],
    ["datePublished", "finished_at", [...study.finished_at].slice(0, 10).join("")],
  ];
  const other = facts.find(([key, , value]) => canonical(root[key] ?? null) !== canonical(value));
  if (other) return other[1];
  return people.every(({ id, name }) => entities.get(id)?.name === name) ? null : "authors";
}

/** Entities by id; null where it is no canonical list of them, or has an id twice. */
function entitiesOf(content: Bytes): Map<string, Entity> | null {
  const read = readCanonical(content);
  const value = "value" in read ? read.value : null;
  const graph = isEntity(value) ? value["@graph"] : null;
  if (!Array.isArray(graph)) return null;
  const found = new Map<string, Entity>();
  for (const each of graph) {
    if (!isEntity(each) || typeof each["@id"] !== "string" || found.has(each["@id"])) return null;
    found.set(each["@id"], each);
  }
  return found;
}

function isEntity(value: Json | undefined): value is Entity {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
