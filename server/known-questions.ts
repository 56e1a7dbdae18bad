/**
 * Questions that were asked before in the very same letters: their answers go out without being routed, parsed or built again. What is remembered
 * of a question is the head that the usual way made for it, so both ways send the same; the finished bytes stay in the answer cache.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Freshness } from "../pipeline/contract/manifest.ts";
import type { AnswerCache } from "./cache.ts";
import { type Fresh, findKnown, freshHeaders, isAnyKnown } from "./headers.ts";
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

/** A head as node:http takes it, and where the values stand that differ from answer to answer. */
interface Head {
  readonly values: readonly string[];
  readonly places: readonly (readonly [place: number, name: string])[];
}

interface Entry extends Omit<Question, "notChanged" | "answer"> {
  readonly since: number;
  readonly notChanged: Head;
  readonly answer: Head | undefined;
}

const REQUEST_ID = "x-request-id";
const CHANGING = new Set([REQUEST_ID, "age", "cache-control", "etag"]);

/** The usual way's heads come sorted and without a reason's words. */
const NO_REASON = "";

function toHead(headers: Headers): Head {
  const entries = Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    values: entries.flat(),
    places: entries.flatMap(([name], i) => (CHANGING.has(name) ? [[2 * i + 1, name] as const] : [])),
  };
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

  function filled({ values, places }: Head, changing: Headers): string[] {
    const all = values.slice();
    for (const [place, name] of places) all[place] = changing[name] ?? (all[place] as string);
    return all;
  }

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
      const at = now();
      const { fresh, since } = entry;
      if (at.getTime() < since || at.getTime() >= (fresh.until ?? Infinity)) return false;
      const ifNoneMatch = request.headers["if-none-match"] ?? null;
      const finished = cache.find(entry.key);
      const known =
        findKnown(ifNoneMatch, entry.tags) ??
        (finished && isAnyKnown(ifNoneMatch) ? entry.answer?.values[etagPlace(entry.answer)] : undefined);
      if (known === undefined && !(finished && entry.answer)) return false;
      const { "Cache-Control": control, Age: age } = freshHeaders(fresh, at);
      const changing: Record<string, string> = {
        [REQUEST_ID]: randomUUID(),
        "cache-control": control ?? "",
        ...(age === undefined ? {} : { age }),
      };
      if (known !== undefined) {
        response.writeHead(304, NO_REASON, filled(entry.notChanged, { ...changing, etag: known })).end();
      } else if (finished && entry.answer) {
        response.writeHead(200, NO_REASON, filled(entry.answer, changing));
        response.end(request.method === "HEAD" ? undefined : finished.bytes);
      }
      return true;
    },
  };
}

const etagPlace = ({ places }: Head): number => places.find(([, name]) => name === "etag")?.[0] ?? -1;
