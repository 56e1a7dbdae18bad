/**
 * Questions that were asked before in the very same letters: their answers go out without being routed, parsed or built again. What is remembered
 * of a question is the head that the usual way made for it, so both ways send the same; the finished bytes stay in the answer cache.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Freshness } from "../pipeline/contract/manifest.ts";
import type { AnswerCache } from "./cache.ts";
import { ageOf, cacheControl, type Fresh, findKnown, isAnyKnown } from "./headers.ts";
import { noteOf } from "./operations/observing.ts";
import { requestIdFor } from "./operations/request-id.ts";
import type { Store } from "./store.ts";

/** What the usual way found out about a question. */
export interface Question {
  readonly snapshotId: string;
  /** As it was when the question was answered: told anew, everything is read anew. */
  readonly freshness: Freshness;
  readonly fresh: Fresh;
  /** Under which the finished answer is kept. */
  readonly key: string;
  /** Those that a client may know the answer by. */
  readonly tags: readonly string[];
  /** The head of a 304, but for its tag. */
  readonly notChanged: Headers;
  /** The head of a 200; undefined while no finished answer is known. */
  readonly answer?: Headers;
}

type Headers = Readonly<Record<string, string>>;

export interface KnownQuestions {
  remember(request: IncomingMessage, now: Date, question: Question): void;
  /** Answers when the question is known and nothing changed since; false leaves it to the usual way. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
}

/** The letters of all remembered questions and their heads, roughly. */
const MOST_BYTES = 24 * 1024 * 1024;

/** A body that is not larger goes out in one piece with its head; then one write does for both. */
const LARGEST_WITH_HEAD = 8 * 1024;

/** A head as node:http takes it, names and values in turn, and where the values stand that differ from answer to answer; -1 = nowhere. */
interface Head {
  readonly values: readonly string[];
  readonly requestId: number;
  readonly control: number;
  readonly age: number;
  readonly tag: number;
}

interface Entry extends Omit<Question, "notChanged" | "answer"> {
  readonly since: number;
  readonly notChanged: Head;
  readonly answer: Head | undefined;
}

/** The usual way's heads come sorted and without a reason's words. */
const NO_REASON = "";

function toHead(headers: Headers): Head {
  const values = Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flat();
  const after = (name: string) => (values.includes(name) ? values.indexOf(name) + 1 : -1);
  return {
    values,
    requestId: after("x-request-id"),
    control: after("cache-control"),
    age: after("age"),
    tag: after("etag"),
  };
}

/** The head as it is now, for the next answer. */
function filled(
  { values, requestId, control, age, tag }: Head,
  fresh: Fresh,
  now: number,
  id: string,
  knownTag?: string,
): string[] {
  const all = values.slice();
  all[requestId] = id;
  all[control] = cacheControl(fresh, now);
  if (age >= 0) all[age] = ageOf(fresh, now);
  if (knownTag !== undefined) all[tag] = knownTag;
  return all;
}

export function createKnownQuestions({
  store,
  cache,
  now = () => new Date(),
}: {
  store: Store;
  cache: AnswerCache;
  now?: () => Date;
}): KnownQuestions {
  const entries = new LRUCache<string, Entry>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ key }, letters) => 2 * letters.length + 2 * key.length + 1500,
  });

  /** The address and every header that decides an answer. */
  const lettersOf = ({ url, headers }: IncomingMessage): string =>
    `${headers["accept-encoding"] ?? ""}\n${headers.accept ?? ""}\n${url ?? ""}`;

  return {
    remember(request, at, { notChanged, answer, ...question }) {
      entries.set(lettersOf(request), {
        ...question,
        since: at.getTime(),
        notChanged: toHead({ ...notChanged, ETag: "" }),
        answer: answer && toHead(answer),
      });
    },
    answer(request, response) {
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      const entry = entries.get(lettersOf(request));
      if (!entry || entry.snapshotId !== store.current()?.id || entry.freshness !== store.freshness()) return false;
      const at = now().getTime();
      const { fresh, since, key, tags, notChanged, answer } = entry;
      if (at < since || (fresh.until !== undefined && at >= fresh.until)) return false;
      const finished = cache.find(key);
      const ifNoneMatch = request.headers["if-none-match"] ?? null;
      let known = findKnown(ifNoneMatch, tags);
      if (known === undefined) {
        if (!finished || !answer) return false;
        if (isAnyKnown(ifNoneMatch)) known = answer.values[answer.tag];
      }
      const note = noteOf(response);
      const requestId = note?.requestId ?? requestIdFor(request.headers["x-request-id"]);
      if (note) note.cache = known === undefined ? "hit" : "unchanged";
      if (known !== undefined) {
        response.writeHead(304, NO_REASON, filled(notChanged, fresh, at, requestId, known)).end();
      } else if (finished && answer) {
        const { bytes, rows } = finished;
        if (note && rows !== undefined) note.rows = rows;
        response.writeHead(200, NO_REASON, filled(answer, fresh, at, requestId));
        if (request.method === "HEAD") response.end();
        else if (bytes.length <= LARGEST_WITH_HEAD) response.end(bytes.toString("latin1"), "latin1");
        else response.end(bytes);
      }
      return true;
    },
  };
}
