/** The staff directory: a fuzzy search by name. */
import { nameKey } from "../contract/name-key.ts";
import { UpstreamError } from "../errors.ts";
import type { Tally } from "../contract/documents/tally.ts";
import type { Client } from "./client/http.ts";
import { responseText } from "./client/page-text.ts";

export interface Directory<Entry> {
  /** Returns everyone who matches `name`, the directory's best matches first. */
  lookUp(name: string): Promise<readonly Entry[]>;
}

/**
 * Opens the directory at `url`. A `file:` address is a single response with everybody, read once.
 * @throws UpstreamError on look-up
 */
export function openDirectory<Entry extends { readonly name: string }>(
  client: Client,
  url: URL,
  parse: (json: string) => readonly Entry[],
): Directory<Entry> {
  const search = (form?: URLSearchParams): Promise<readonly Entry[]> =>
    client.request({ url, ...(form ? { form, follow: true } : {}) }, (response) =>
      parse(responseText(response, "json")),
    );
  if (url.protocol !== "file:")
    return { lookUp: (name) => search(new URLSearchParams({ uciKey: name, filter: "all" })) };
  let everybody: Promise<Map<string, Entry[]>> | undefined;
  return {
    async lookUp(name) {
      everybody ??= search().then(byLastWord);
      return (await everybody).get(lastWord(name)) ?? [];
    },
  };
}

const lastWord = (name: string): string =>
  nameKey(name)
    .replace(/[^\p{L}\s-]/gu, "")
    .split(/[\s-]+/)
    .filter(Boolean)
    .at(-1) ?? "";

function byLastWord<Entry extends { readonly name: string }>(entries: readonly Entry[]): Map<string, Entry[]> {
  const words = new Map<string, Entry[]>();
  for (const entry of entries) {
    const word = lastWord(entry.name);
    const same = words.get(word);
    if (same) same.push(entry);
    else words.set(word, [entry]);
  }
  return words;
}

/** How a name is searched for and its entry selected, both defined by the normaliser. */
export interface Matching<Entry> {
  /** The spellings to try, best first. */
  spellings(name: string): readonly string[];
  /** Returns the person, or all persons of exactly that name; none when nobody is close enough. */
  choose(name: string, entries: readonly Entry[]): readonly Entry[];
}

/** One failed look-up in this many is tolerated. */
const LOOK_UPS_PER_FAILURE = 50;

export interface Found<Member, Entry> {
  member: Member;
  people: readonly Entry[];
}

/**
 * Looks up every member, one spelling after the other until `choose` returns somebody. A failed look-up is reported as
 * damage, and its member is missing from the result.
 * @throws UpstreamError when more than one in fifty fails
 */
export async function findPeople<Member extends { readonly name: string }, Entry>(
  directory: Directory<Entry>,
  members: readonly Member[],
  { spellings, choose }: Matching<NoInfer<Entry>>,
  tally: Tally,
): Promise<{ found: Found<Member, Entry>[]; damaged: string[] }> {
  const damaged: string[] = [];
  let failed: UpstreamError | undefined;
  const isBroken = (): boolean => damaged.length > Math.max(1, members.length / LOOK_UPS_PER_FAILURE);
  const results = await Promise.all(
    members.map(async (member): Promise<Found<Member, Entry> | undefined> => {
      try {
        for (const spelling of spellings(member.name)) {
          if (isBroken()) return undefined;
          const people = choose(member.name, await directory.lookUp(spelling));
          if (people.length > 0) return { member, people };
        }
        return { member, people: [] };
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        failed ??= error;
        damaged.push(member.name);
        tally.damage(`directory entry of ${member.name}: ${error.message}`);
        return undefined;
      }
    }),
  );
  if (failed && (isBroken() || results.every((result) => result === undefined))) throw failed;
  return { found: results.flatMap((result) => result ?? []), damaged };
}
