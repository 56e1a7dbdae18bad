/**
 * Finds the people or exports that `make forget` refers to: in every retained snapshot, the kept exports and the
 * operators' files.
 */
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { grades } from "../contract/rows/grade.ts";
import { instructors } from "../contract/rows/instructor.ts";
import { larc } from "../contract/rows/larc.ts";
import { sections } from "../contract/rows/section.ts";
import { sources } from "../contract/rows/source.ts";
import { tableRows } from "../contract/sql-text.ts";
import type { Table } from "../contract/table.ts";
import { UsageError } from "../errors.ts";
import type { PublishedSnapshot } from "../store/published.ts";
import { isNobody } from "../normalize/people/nobody.ts";
import { cutLastName, usualForm } from "../normalize/people/shortened-name.ts";
import type { Disk } from "../disk/disk.ts";
import { readRegularFile } from "../regular-files.ts";
import { closestNames, MAX_SUGGESTIONS, usualEdits } from "../settings/closest-names.ts";
import { fold, isInitial, isNameOf, listedAs } from "./person-name.ts";
import { type Forgotten, nameKeysOf, type Spellings } from "./tombstones.ts";

/** The operator gives exactly one of these. */
export interface Selection {
  readonly netid?: string;
  readonly name?: string;
  readonly file?: string;
}

export interface Meant {
  readonly spellings: Spellings;
  /** Hashes of exports. */
  readonly exports: readonly string[];
  /** For the operator, a line each. */
  readonly lines: readonly string[];
}

interface Person {
  readonly netid: string;
  readonly name: string;
  readonly shortenedName: string;
  readonly email: string;
}

export interface Published {
  readonly snapshots: readonly PublishedSnapshot[];
  readonly connection: DuckDBConnection;
  readonly dataDir: string;
  readonly disk: Disk;
}

/**
 * Resolves a selection.
 * @param forgotten earlier take-downs: repeating one is no mistake
 * @returns undefined when it is gone already
 * @throws UsageError when nothing matches, with similar names
 */
export async function findMeant(
  selection: Selection,
  published: Published,
  forgotten?: Forgotten,
): Promise<Meant | undefined> {
  const { file, name, netid } = selection;
  if (file !== undefined) return findExport(file, published, forgotten);
  const people = await readPeople(published);
  if (netid !== undefined) {
    const matches = people.filter((person) => person.netid.toLowerCase() === netid.toLowerCase());
    if (matches.length > 0) return meantPeople(matches, people, [], await readNames(published));
    if (forgotten?.isNetid(netid)) return undefined;
    throw nothing(
      "NETID",
      netid,
      people.map((person) => person.netid),
    );
  }
  const wanted = name ?? "";
  if (isNobody(wanted)) throw new UsageError(`NAME=${JSON.stringify(wanted)} stands for nobody`);
  const isNamed = matcherOf([wanted]);
  const isShort = listedAs(wanted).every(({ given }) => given.every(isInitial));
  const matches = people.filter((person) => isNamed(person.name) || (isShort && isNamed(person.shortenedName)));
  const printed = await readNames(published);
  // A short name in the schedule does not say which of several people it means: a full name matches full names only.
  const isFull = (text: string) => listedAs(text).some(({ given }) => given.some((givenName) => !isInitial(givenName)));
  const spelled = printed.filter((text) => isNamed(text) && (isShort || isFull(text)));
  if (matches.length > 0 || spelled.length > 0)
    return meantPeople(matches, people, isShort ? [wanted, ...spelled] : spelled, printed);
  if (forgotten?.isName(wanted)) return undefined;
  throw nothing("NAME", wanted, [...people.flatMap((person) => [person.name, person.shortenedName]), ...printed]);
}

function matcherOf(names: readonly string[]): (text: string) => boolean {
  const keys = new Set(nameKeysOf({ names }));
  return (text) => isNameOf(text, (key) => keys.has(key));
}

function nothing(variable: string, text: string, names: readonly string[]): UsageError {
  const alike = closestNames(text, new Set(names), (candidate, typed) =>
    Math.max(usualEdits(candidate, typed), Math.floor(candidate.length / 4)),
  );
  const hint = alike.length === 0 ? "" : `; did you mean ${alike.slice(0, MAX_SUGGESTIONS).join(" or ")}?`;
  return new UsageError(`nothing that is published has ${variable}=${JSON.stringify(text)}${hint}`);
}

/**
 * @param asked spellings to take down no matter who else has them
 * @param printed names of sections, grades and tutorials
 */
function meantPeople(
  people: readonly Person[],
  all: readonly Person[],
  asked: readonly string[],
  printed: readonly string[],
): Meant {
  const netids = new Set(people.map(({ netid }) => netid));
  const others = all.filter(({ netid }) => !netids.has(netid)).flatMap(spellingsOf);
  const ownSpellings = people.flatMap(spellingsOf);
  const alone = lastNamesAlone([...asked, ...ownSpellings], [...others, ...printed]);
  const names = { names: asked, own: [...ownSpellings, ...alone], partly: people.flatMap(partlyOf), others };
  const keys = new Set(nameKeysOf(names));
  const isTaken = (name: string) => isNameOf(name, (key) => keys.has(key));
  const shared = people.flatMap(({ name, shortenedName }) => [name, shortenedName]).filter((name) => !isTaken(name));
  const lines = [
    ...[...new Map(people.map((person) => [person.netid, person])).values()].map(
      (person) => `${person.name} (${person.netid}, ${person.shortenedName})`,
    ),
    ...(people.length === 0 ? [...new Set(asked)].map((name) => `${name}, whom the directory does not know`) : []),
    ...[...new Set(shared)].map(
      (name) => `${name} stays: somebody else has that name too (NAME=${JSON.stringify(name)} takes down all of them)`,
    ),
  ];
  const emails = people.map(({ email }) => email).filter((email) => email !== "");
  return { spellings: { ...names, netids: [...netids], emails, files: [] }, exports: [], lines };
}

/**
 * Returns the notations of a person's name in schedule, directory and sheets, with the last name first. The short form
 * tells which words are the last name.
 */
function spellingsOf({ name, shortenedName }: Person): string[] {
  const words = name.trim().split(/\s+/);
  const [cut = ""] = shortenedName.split(",");
  const splits = words.slice(1).map((_, i) => ({ given: words.slice(0, i + 1), last: words.slice(i + 1).join(" ") }));
  const isLast = ({ last }: { last: string }, short: string) =>
    fold(last) === fold(short) || fold(cutLastName(last)) === fold(short);
  const usual = usualForm(words).split(",")[0] ?? "";
  const lasts = [cut, usual].flatMap((short) => splits.filter((split) => isLast(split, short)));
  const full = lasts.flatMap(({ given, last }) => [last, cut].map((lastName) => `${lastName}, ${given.join(" ")}`));
  return [...new Set([shortenedName, ...(full.length === 0 ? [name] : full)])];
}

/** Returns last names that nobody else has. */
function lastNamesAlone(notations: readonly string[], all: readonly string[]): string[] {
  const isMeant = matcherOf(notations);
  const others = new Set(
    all
      .filter((name) => !isMeant(name))
      .flatMap(listedAs)
      .map(({ last }) => last),
  );
  const lasts = notations.filter((name) => name.includes(",")).map((name) => name.slice(0, name.indexOf(",")));
  return [...new Set(lasts)].filter((last) => !others.has(fold(last)));
}

/** People with several last names may use only the last. */
function partlyOf({ name }: Person): string[] {
  const words = name.trim().split(/\s+/);
  return words.length < 3 ? [] : [`${words.at(-1)}, ${words[0]}`];
}

const pathsOf = ({ snapshots }: Published, table: Table): string[] => [
  ...new Map(
    snapshots.flatMap(({ folder, manifest }) =>
      manifest.files
        .filter((file) => file.table === table.name)
        .map((file) => [file.path, join(folder, file.path)] as const),
    ),
  ).values(),
];

async function readPeople(published: Published): Promise<Person[]> {
  const read = await published.connection.runAndReadAll(
    `SELECT DISTINCT netid, "name", "shortenedName", email FROM ${tableRows(instructors, pathsOf(published, instructors))} ORDER BY ALL`,
  );
  return read.getRowObjectsJS() as unknown as Person[];
}

/** Names in sections, grades and tutorials. */
async function readNames(published: Published): Promise<string[]> {
  const rowsOf = (table: Table) => tableRows(table, pathsOf(published, table));
  const read = await published.connection.runAndReadAll(
    `SELECT unnest(instructors) AS printed FROM ${rowsOf(sections)}
     UNION SELECT unnest(instructors) FROM ${rowsOf(grades)}
     UNION SELECT unnest(list_transform(sections, lambda one: one.instructor)) FROM ${rowsOf(larc)} ORDER BY 1`,
  );
  return ((read.getColumnsJS()[0] ?? []) as string[]).filter((name) => !isNobody(name));
}

async function findExport(name: string, published: Published, forgotten?: Forgotten): Promise<Meant | undefined> {
  const rowsOf = (table: Table) => tableRows(table, pathsOf(published, table));
  const read = await published.connection.runAndReadAll(
    `SELECT DISTINCT "exportFile" AS file, "exportSha256" AS sha256 FROM ${rowsOf(grades)}
     UNION SELECT "name", sha256 FROM ${rowsOf(sources)} WHERE system = 'records' ORDER BY ALL`,
  );
  const all = (read.getRowsJS() as [string, string][]).map(([file, sha256]) => ({ file, sha256 }));
  const folder = join(published.dataDir, "grades");
  for (const file of await published.disk.readdir(folder)) {
    const bytes = await readRegularFile(join(folder, file)).catch(() => undefined);
    if (bytes) all.push({ file, sha256: createHash("sha256").update(bytes).digest("hex") });
  }
  const matches = all.filter(({ file }) => file === name || basename(file) === basename(name));
  if (matches.length > 0) {
    const files = [...new Set(matches.map(({ file }) => basename(file)))];
    const exports = [...new Set(matches.map(({ sha256 }) => sha256))];
    return {
      spellings: { names: [], netids: [], emails: [], files },
      exports,
      lines: [`${files.join(", ")}: ${exports.length} version${exports.length === 1 ? "" : "s"} of it`],
    };
  }
  if (forgotten?.isFile(basename(name))) return undefined;
  throw nothing(
    "FILE",
    name,
    all.map(({ file }) => basename(file)),
  );
}
