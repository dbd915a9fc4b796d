// What the page says, by its own source: every t("...") with the English in it, and what is wrong with it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, TYPE } from "@formatjs/icu-messageformat-parser";
import ts from "typescript";

/** All source files of the page, without tests. */
function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /(?<!\.test|\.d)\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** The text of a literal, or of literals with + between them; undefined for anything else. */
function textOf(node) {
  if (node && ts.isStringLiteralLike(node)) return node.text;
  if (!node || !ts.isBinaryExpression(node)) return undefined;
  const parts = [textOf(node.left), textOf(node.right)];
  return parts.includes(undefined) ? undefined : parts.join("");
}

const CATEGORIES = new Intl.PluralRules("bg").resolvedOptions().pluralCategories;

/** Every element of a message, of its plural forms too. */
function elementsOf(elements) {
  return elements.flatMap((element) => {
    const inner = Object.values(element.options ?? {}).flatMap(({ value }) => elementsOf(value));
    return [element, ...inner];
  });
}

/** Placeholders of a message, and what is wrong with its syntax or plurals. */
export function read(message) {
  let elements;
  try {
    elements = elementsOf(parse(message, { ignoreTag: true }));
  } catch (error) {
    return { names: [], wrong: [`is no ICU message (${error.message})`] };
  }
  const named = elements.filter(({ type }) => type !== TYPE.literal && type !== TYPE.pound);
  const wrong = named
    .filter(({ type }) => type === TYPE.plural)
    .filter(({ options }) => !("=0" in options) && CATEGORIES.some((name) => !(name in options)))
    .map(({ value }) => `lacks a plural form of ${value}`);
  return { names: [...new Set(named.map(({ value }) => value))].sort(), wrong };
}

/** The names in the values of a call; null where they are not written there. */
function valuesOf(node) {
  if (node === undefined) return [];
  if (!ts.isObjectLiteralExpression(node)) return null;
  return node.properties.map((property) => property.name?.text ?? null).sort();
}

/** All calls of `t` in a file. */
function callsIn(file) {
  const calls = [];
  const visit = (node) => {
    ts.forEachChild(node, visit);
    const isCall = ts.isCallExpression(node) && ts.isIdentifier(node.expression);
    if (isCall && node.expression.text === "t") calls.push(node);
  };
  visit(file);
  return calls;
}

/** The message of a call with its key, and what is wrong with it. */
function messageOf(call) {
  const [first, values, third] = call.arguments;
  const message = textOf(first);
  if (message === undefined) return { wrong: ["the English is not written here"] };
  const { names, wrong } = read(message);
  const given = valuesOf(values);
  if (given !== null && given.join() !== names.join()) {
    wrong.push(`asks for ${names.join(", ") || "nothing"}, and is given ${given.join(", ") || "nothing"}`);
  }
  const context = textOf(third);
  const key = context ? `${message} | ${context}` : message;
  return { key, message, wrong: wrong.map((what) => `${JSON.stringify(message)} ${what}`) };
}

/** Every message by its key, and everything that is wrong in the sources. */
export function extract(folder) {
  const messages = new Map();
  const wrong = [];
  for (const path of sources(folder)) {
    const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
    for (const call of callsIn(file)) {
      const found = messageOf(call);
      const { line } = file.getLineAndCharacterOfPosition(call.getStart());
      wrong.push(...found.wrong.map((what) => `${path}:${line + 1}: ${what}`));
      if (found.key) messages.set(found.key, found.message);
    }
  }
  return { messages, wrong };
}

/** Differences between a catalogue and the messages of the sources; one that is not whole may lack messages. */
export function compare(messages, catalogue, isWhole = true) {
  const wrong = [];
  for (const [key, message] of messages) {
    const said = catalogue[key];
    if (!said) {
      if (isWhole) wrong.push(`missing: ${JSON.stringify(key)}`);
      continue;
    }
    const found = read(said);
    for (const what of found.wrong) wrong.push(`${JSON.stringify(said)} ${what}`);
    const names = read(message).names;
    if (names.join() !== found.names.join())
      wrong.push(`${JSON.stringify(said)} lacks one of ${names.join(", ")}`);
  }
  for (const key of Object.keys(catalogue))
    if (!messages.has(key)) wrong.push(`stale: ${JSON.stringify(key)}`);
  return wrong;
}
