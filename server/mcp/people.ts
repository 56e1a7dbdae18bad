/** Names of people where a tool takes their netids. */
import type { Result } from "./answer.ts";
import { type Arguments, type EndpointTool, toTexts } from "./tool.ts";

/** More are counted, and of more texts none is looked for. */
const MOST_CANDIDATES = 20;
const LONGEST_NAME = 100;
/** What tells people of one name apart. */
const FIELDS = "netid,name,shortenedName,title,department";

type Query = Readonly<Record<string, string>>;
type ListPeople = (query: Query) => Promise<Result>;

/** No netid has these. */
const isName = (text: string): boolean => /[\s,.]/.test(text.trim());

/** `Smith, Jane` → `Jane Smith` */
const inOrder = (name: string): string => name.replace(/^([^,]+),\s*(.+)$/, "$2 $1");

/** Where a text is looked for, the most exact first. */
const queriesOf = (text: string): readonly Query[] => [
  ...(isName(text) ? [] : [{ ids: text }]),
  { shortenedName: text },
  { nameContains: inOrder(text.trim()) },
];

/** The people whom a text may mean; nobody, or more than one. */
async function find(text: string, list: ListPeople): Promise<Result | undefined> {
  for (const query of queriesOf(text)) {
    const found = await list({ ...query, fields: FIELDS, limit: String(MOST_CANDIDATES) });
    if ((found.data as unknown[]).length > 0) return found;
  }
  return undefined;
}

interface Found {
  readonly given: Arguments;
  /** Who was meant by each name. */
  readonly notes: readonly string[];
}

/**
 * The arguments with the netid of a person for each name; or, of a name that several people have, who they are. What nobody is called stays as it is.
 * @throws what `list` throws
 */
export async function findPeople(
  { record }: Pick<EndpointTool, "record">,
  given: Arguments,
  list: ListPeople,
): Promise<Found | { readonly candidates: Result }> {
  const netids: Record<string, string[]> = {};
  const notes: string[] = [];
  for (const name of record.people ?? []) {
    const texts = (given[name] !== undefined && toTexts(given[name])) || [];
    if (texts.length > MOST_CANDIDATES || texts.some((text) => text.trim() === "" || text.length > LONGEST_NAME))
      continue;
    for (const text of texts) {
      const found = await find(text, list);
      const people = (found?.data ?? []) as { netid: string; name: string }[];
      if (found && people.length > 1)
        return {
          candidates: { ...found, narrow: `${name}: ${text} may be any of these ${found.total} people. Give a netid.` },
        };
      const [person] = people;
      if (person && isName(text)) notes.push(`${text} is ${person.name}, netid ${person.netid}`);
      netids[name] = [...(netids[name] ?? []), person?.netid ?? text];
    }
  }
  return { given: { ...given, ...netids }, notes };
}
