/**
 * Removes the rows and values of a Parquet file that were taken down. Columns are recognized by name and type, so that
 * files of older contracts are read like current ones. Equal rows give equal bytes: a repeated run makes the same files.
 */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { UNNAMED } from "../contract/name-key.ts";
import { quoteIdentifier, quoteLiteral, readParquet } from "../contract/sql-text.ts";
import { orderOf, ROWS_PER_GROUP, type StagingFolder, writeSorted } from "../publish/partition.ts";
import { filePath } from "../store/layout.ts";
import { countRows, tableNamed } from "../store/schema.ts";
import { withoutNames } from "./names-in-text.ts";
import type { Forgotten } from "./tombstones.ts";

/** Lists of names in the schedule's form. */
export const NAME_LISTS: readonly string[] = ["instructors"];
/** Columns with the schedule's notes about classes. */
const NOTICES: readonly string[] = [
  "sectionComment",
  "courseComment",
  "deptComment",
  "schoolComment",
  "sectionCodeRangeComments",
  "courseNumberRangeComments",
];
/** Lists of network ids. */
const NETID_LISTS: readonly string[] = ["instructorHistory"];
/** Columns whose rows are about one person, by table. */
export const PERSON_ROWS: Readonly<
  Record<string, { readonly names: readonly string[]; readonly netids: readonly string[] }>
> = {
  instructors: { names: ["name", "shortenedName"], netids: ["netid"] },
  section_instructors: { names: ["name"], netids: ["netid"] },
};
/** The column with the hash of the export that a row came from, by table. */
const EXPORT_HASHES: Readonly<Record<string, string>> = { grades: "exportSha256", sources: "sha256" };
/** Its rows hold the values of other columns as text. */
const CHANGES = "changes";
/** Lists of names in these tables become empty, not `STAFF`, when nobody is left. */
const WITHOUT_UNNAMED: readonly string[] = ["grades"];

/** Values of a file's columns that a take-down removes. */
interface Taken {
  /** All columns of the file. */
  readonly columns: readonly Column[];
  readonly names: readonly string[];
  readonly netids: readonly string[];
  readonly exports: readonly string[];
  /** Replacements of texts, by the original text. */
  readonly texts: ReadonlyMap<string, string>;
}

interface Column {
  readonly name: string;
  readonly type: string;
}

/** Returns undefined when the file names nobody and no export that was taken down. */
export async function findTaken(
  connection: DuckDBConnection,
  table: string,
  path: string,
  forgotten: Forgotten,
): Promise<Taken | undefined> {
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${readParquet([path])}`);
  const columns = described.getRowsJson().map(([name, type]) => ({ name: String(name), type: String(type) }));
  const person = PERSON_ROWS[table] ?? { names: [], netids: [] };
  const [names, netids, exports] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const texts = new Map<string, string>();
  /** Pairs SQL for the distinct values of a column with a collector for each value. */
  const looks: { values: string; take: (value: string) => void }[] = [];
  const look = (into: Set<string>, values: string, isTaken: (value: string) => boolean) =>
    looks.push({ values, take: (value) => void (isTaken(value) && into.add(value)) });
  for (const { name, type } of columns) {
    const column = quoteIdentifier(name);
    const [values, inLists] = [`list(${column})`, `flatten(list(${column}))`];
    if (NAME_LISTS.includes(name)) look(names, inLists, forgotten.isName);
    else if (NETID_LISTS.includes(name)) look(netids, inLists, forgotten.isNetid);
    else if (person.names.includes(name)) look(names, values, forgotten.isName);
    else if (person.netids.includes(name) || name === "netid") look(netids, values, forgotten.isNetid);
    else if (EXPORT_HASHES[table] === name) look(exports, values, forgotten.isExport);
    else if (isTutors({ name, type }))
      looks.push({
        values: `flatten(list(list_transform(${column}, lambda one: one.instructor)))`,
        take: (tutor) => void (forgotten.isName(tutor) && texts.set(tutor, "")),
      });
    else if (TEXTS.includes(type))
      looks.push({
        values: `list_filter(${type === "VARCHAR" ? values : inLists}, lambda one: regexp_matches(one, '[^A-Za-z0-9:]'))`,
        take(text) {
          const isNotice = NOTICES.includes(name);
          const without =
            table === CHANGES ? withoutNamesIn(text, forgotten) : withoutNames(text, forgotten, { isNotice });
          if (without !== text) texts.set(text, without);
        },
      });
  }
  if (looks.length === 0) return undefined;
  // A single statement covers all columns: a file has up to thirty of them.
  const distinct = looks.map(({ values }) => `coalesce(list_distinct(${values}), [])`);
  const read = await connection.runAndReadAll(`SELECT ${distinct.join(", ")} FROM ${readParquet([path])}`);
  for (const [i, values] of (read.getRowsJson()[0] ?? []).entries())
    for (const value of values as string[]) looks[i]?.take(value);
  if (names.size + netids.size + exports.size + texts.size === 0) return undefined;
  return { columns, names: [...names], netids: [...netids], exports: [...exports], texts };
}

const TEXTS: readonly string[] = ["VARCHAR", "VARCHAR[]"];
/** The tutorials of a course: a list of records, each with a person. */
const isTutors = ({ name, type }: Column): boolean =>
  name === "sections" && /^STRUCT\(.*\binstructor VARCHAR/.test(type);

/** The value of a changed column: a list of instructors or a whole section as JSON, or a text. */
function withoutNamesIn(text: string, forgotten: Forgotten): string {
  const list = text.startsWith("[") ? text : INSTRUCTORS.exec(text)?.[1];
  const names = list === undefined ? undefined : namesIn(list);
  const without =
    names && list !== undefined ? text.replace(list, () => JSON.stringify(leftOf(names, forgotten))) : text;
  return withoutNames(without, forgotten, { isNotice: true });
}

const INSTRUCTORS = /^\{.*?"instructors":(\[(?:"(?:[^"\\]|\\.)*",?)*\])/s;

function namesIn(text: string): string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every((name) => typeof name === "string") ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the remaining names, or `STAFF` when nobody is left. */
function leftOf(names: readonly string[], forgotten: Forgotten): readonly string[] {
  const left = names.filter((name) => !forgotten.isName(name));
  return names.length > 0 && left.length === 0 ? [UNNAMED] : left;
}

/** DuckDB variables that hold the removed values. */
const VARIABLES = {
  names: "forgotten_names",
  netids: "forgotten_netids",
  exports: "forgotten_exports",
  texts: "forgotten_texts",
};
const variable = (name: keyof typeof VARIABLES): string => `getvariable(${quoteLiteral(VARIABLES[name])})`;

/** Binds the removed values to variables of the connection, which `selectLeft` reads. */
async function bindTaken(connection: DuckDBConnection, { texts, ...lists }: Taken): Promise<void> {
  const bind = async (name: keyof typeof VARIABLES, type: string, value: unknown) => {
    await connection.run(`CREATE OR REPLACE TEMP TABLE forgotten AS SELECT $1::JSON::${type} AS value`, [
      JSON.stringify(value),
    ]);
    await connection.run(`SET VARIABLE ${VARIABLES[name]} = (SELECT value FROM forgotten)`);
  };
  await bind("names", "VARCHAR[]", lists.names);
  await bind("netids", "VARCHAR[]", lists.netids);
  await bind("exports", "VARCHAR[]", lists.exports);
  await bind("texts", "MAP(VARCHAR, VARCHAR)", Object.fromEntries(texts));
  await connection.run("DROP TABLE forgotten");
}

/** Selects the remaining rows and values of a file, in its columns and in their order. */
function selectLeft(table: string, path: string, columns: readonly Column[]): string {
  const person = PERSON_ROWS[table] ?? { names: [], netids: [] };
  const text = (value: string) => `coalesce(${variable("texts")}[${value}], ${value})`;
  const expressionOf = ({ name, type }: Column): string => {
    const column = quoteIdentifier(name);
    if (NAME_LISTS.includes(name)) {
      const left = `list_filter(${column}, lambda one: NOT list_contains(${variable("names")}, one))`;
      if (WITHOUT_UNNAMED.includes(table)) return left;
      return `CASE WHEN len(${column}) > 0 AND len(${left}) = 0 THEN [${quoteLiteral(UNNAMED)}] ELSE ${left} END`;
    }
    if (NETID_LISTS.includes(name))
      return `list_filter(${column}, lambda one: NOT list_contains(${variable("netids")}, one))`;
    if (isTutors({ name, type }))
      return `list_transform(${column}, lambda one: struct_update(one, instructor := ${text("one.instructor")}))`;
    // Removed people no longer count as candidates.
    if (table === "section_instructors" && name === "candidates")
      return `(candidates - count(*) FILTER (WHERE ${isIn("netids", "netid")}) OVER (PARTITION BY quarter, "sectionCode", department, "name"))::INTEGER`;
    if (type === "VARCHAR") return text(column);
    if (type === "VARCHAR[]") return `list_transform(${column}, lambda one: ${text("one")})`;
    return column;
  };
  const selected = columns.map((column) => `${expressionOf(column)} AS ${quoteIdentifier(column.name)}`);
  const gone = [
    ...person.names.map((name) => isIn("names", name)),
    ...person.netids.map((name) => isIn("netids", name)),
    ...(EXPORT_HASHES[table] === undefined ? [] : [isIn("exports", EXPORT_HASHES[table])]),
  ].map((condition) => `NOT ${condition}`);
  const left = `SELECT ${selected.join(", ")} FROM ${readParquet([path])}
    ${gone.length === 0 ? "" : `${table === "section_instructors" ? "QUALIFY" : "WHERE"} ${gone.join(" AND ")}`}`;
  // A change of nothing but a removed name is no change any more.
  return table === CHANGES ? `SELECT * FROM (${left}) WHERE before IS DISTINCT FROM "after"` : left;
}

export interface RewriteContext extends StagingFolder {
  readonly connection: DuckDBConnection;
  readonly forgotten: Forgotten;
}

/**
 * Rewrites a file without what was taken down; the result is below `filesFolder` and may have no rows. Returns `file`
 * when nothing was taken down.
 * @param path the file on this machine
 */
export async function rewriteFile(context: RewriteContext, file: PublishedFile, path: string): Promise<PublishedFile> {
  const { connection, forgotten } = context;
  const taken = await findTaken(connection, file.table, path, forgotten);
  if (!taken) return file;
  await bindTaken(connection, taken);
  const table = tableNamed(file.table);
  const isOurs = table !== undefined && file.path === filePath(file.table, file.partition, file.sha256);
  return writeSorted(connection, context, {
    table: file.table,
    partition: file.partition,
    select: selectLeft(file.table, path, taken.columns),
    ...(isOurs ? { orderBy: orderOf(table) } : {}),
    rowsPerGroup: table?.rowsPerGroup ?? ROWS_PER_GROUP,
    count: (written) => countRows(connection, written),
  });
}

const isIn = (values: keyof Taken & keyof typeof VARIABLES, column: string): string =>
  `coalesce(list_contains(${variable(values)}, ${quoteIdentifier(column)}), false)`;

/**
 * Filters rows in memory, as they are crawled or answered live: copies a row, or a list of rows; lists of instructors
 * read `STAFF` where nobody is left.
 */
export const rowsWithoutForgotten = <Value>(value: Value, forgotten: Forgotten): Value =>
  valueOf(value, forgotten) as Value;

function valueOf(value: unknown, forgotten: Forgotten, isNotice = false): unknown {
  if (typeof value === "string") return withoutNames(value, forgotten, { isNotice });
  if (Array.isArray(value)) return value.map((item) => valueOf(item, forgotten, isNotice));
  if (typeof value !== "object" || value === null) return value;
  const left = (name: string, column: unknown): unknown =>
    NAME_LISTS.includes(name)
      ? leftOf(column as string[], forgotten)
      : valueOf(column, forgotten, NOTICES.includes(name));
  return Object.fromEntries(Object.entries(value).map(([name, column]) => [name, left(name, column)]));
}
