/** The staff directory: it is asked by name, and responses with everyone who matches more or less. */
import { nameKey } from "../contract/name-key.ts";
import { UpstreamError } from "../errors.ts";
import type { Tally } from "../contract/tally.ts";
import type { Client } from "./http.ts";
import { responseText } from "./page-address.ts";

export interface Directory<Entry> {
  /** Everyone who responses to `name`, the directory's best matches first. */
  lookUp(name: string): Promise<readonly Entry[]>;
}

/**
 * The directory at `url`. A `file:` address is one response that holds everybody, read once.
 * @throws UpstreamError on look-up
 */
export function openDirectory<Entry extends { readonly name: string }>(
  client: Client,
  url: URL,
  parse: (json: string) => readonly Entry[],
): Directory<Entry> {
  const ask = (form?: URLSearchParams): Promise<readonly Entry[]> =>
    client.request({ url, ...(form ? { form, follow: true } : {}) }, (response) => parse(responseText(response)));
  if (url.protocol !== "file:") return { lookUp: (name) => ask(new URLSearchParams({ uciKey: name, filter: "all" })) };
  let everybody: Promise<Map<string, Entry[]>> | undefined;
  return {
    async lookUp(name) {
      everybody ??= ask().then(byLastWord);
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

/** How names are asked for and responses are told apart; both are the normaliser's. */
export interface Matching<Entry> {
  /** The spellings to try, best first. */
  spellings(name: string): readonly string[];
  /** The person, or persons of exactly that name; none when nobody is near enough. */
  choose(name: string, entries: readonly Entry[]): readonly Entry[];
}

/** Of so many look-ups one may fail for good before the directory as a whole counts as failed. */
const TOLERATED_SHARE = 50;

export interface Found<Member, Entry> {
  member: Member;
  people: readonly Entry[];
}

/**
 * Asks for every member, spelling after spelling until somebody is chosen. A look-up that fails for good is named in the tally, and its member is
 * missing from the result.
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
  const isBroken = (): boolean => damaged.length > Math.max(1, members.length / TOLERATED_SHARE);
  const results = await Promise.all(
    members.map(async (member): Promise<Found<Member, Entry> | undefined> => {
      try {
        for (const spelling of spellings(member.name)) {
          // The others need not be asked any more.
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
