/** Resolves names of people if a tool expects netids. */
import type { Result } from "./answer.ts";
import { type Arguments, type EndpointTool, toTexts } from "./tool.ts";

/** The most candidates that are listed; with more texts than this, none is looked up. */
const MOST_CANDIDATES = 20;
const LONGEST_NAME = 100;
/** The fields that distinguish people of the same name. */
const FIELDS = "netid,name,shortenedName,title,department";

type Query = Readonly<Record<string, string>>;
type ListPeople = (query: Query) => Promise<Result>;

/** True for texts with characters that no netid contains. */
const isName = (text: string): boolean => /[\s,.]/.test(text.trim());

/** Reorders a name: `Smith, Jane` → `Jane Smith`. */
const inOrder = (name: string): string => name.replace(/^([^,]+),\s*(.+)$/, "$2 $1");

/** Returns the queries for a text, the most exact first. */
const queriesOf = (text: string): readonly Query[] => [
  ...(isName(text) ? [] : [{ ids: text }]),
  { shortenedName: text },
  { nameContains: inOrder(text.trim()) },
];

/** Finds the people that a text may refer to; undefined if there are none. */
async function find(text: string, list: ListPeople): Promise<Result | undefined> {
  for (const query of queriesOf(text)) {
    const result = await list({ ...query, fields: FIELDS, limit: String(MOST_CANDIDATES) });
    if ((result.data as unknown[]).length > 0) return result;
  }
  return undefined;
}

interface ResolvedArguments {
  readonly args: Arguments;
  readonly notes: readonly string[];
}

/**
 * Replaces names by netids. Returns the candidates instead if a name belongs to several people. Unknown names stay
 * unchanged.
 * @throws errors of `list`
 */
export async function findPeople(
  { record }: Pick<EndpointTool, "record">,
  args: Arguments,
  list: ListPeople,
): Promise<ResolvedArguments | { readonly candidates: Result }> {
  const netids: Record<string, string[]> = {};
  const notes: string[] = [];
  for (const name of record.people ?? []) {
    const texts = (args[name] !== undefined && toTexts(args[name])) || [];
    if (texts.length > MOST_CANDIDATES || texts.some((text) => text.trim() === "" || text.length > LONGEST_NAME))
      continue;
    for (const text of texts) {
      const match = await find(text, list);
      const people = (match?.data ?? []) as { netid: string; name: string }[];
      if (match && people.length > 1)
        return {
          candidates: { ...match, narrow: `${name}: ${text} may be any of these ${match.total} people. Give a netid.` },
        };
      const [person] = people;
      if (person && isName(text)) notes.push(`${text} is ${person.name}, netid ${person.netid}`);
      netids[name] = [...(netids[name] ?? []), person?.netid ?? text];
    }
  }
  return { args: { ...args, ...netids }, notes };
}
