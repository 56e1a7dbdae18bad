/**
 * Questions that were asked before in the very same letters: their answers go out without being routed, parsed or built again. What is remembered
 * of a question is the head that the usual way made for it, so both ways send the same; the finished bytes stay in the answer cache.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Freshness } from "../../pipeline/contract/manifest.ts";
import type { BodyCache } from "../response/body-cache.ts";
import { enclose } from "../response/compat/envelope.ts";
import { createHeadText, type HeadText } from "./header-block.ts";
import { ageOf, cacheControl, type Fresh, findKnown, isAnyKnown } from "../response/headers.ts";
import { requestLogFields } from "../telemetry/observation.ts";
import { requestIdFor } from "../telemetry/request-id.ts";
import { isStrict, STRICT } from "../response/prefer.ts";
import { sizeOf } from "../response/body-stream.ts";
import type { Store } from "../snapshot/store.ts";

/** What the usual way found out about a question. */
export interface Question {
  readonly snapshotId: string;
  /** As it was when the question was answered: told anew, everything is read anew. */
  readonly freshness: Freshness;
  readonly fresh: Fresh;
  /** Under which the finished answer is kept. */
  readonly key: string;
  /** Whether what is kept is a payload, which each answer puts into an envelope of its own. */
  readonly wraps: boolean;
  /** Those that a client may know the answer by. */
  readonly tags: readonly string[];
  /** The head of a 304, but for its tag. */
  readonly notChanged: Headers;
  /** The head of a 200; undefined while no finished answer is known. */
  readonly answer?: Headers;
}

type Headers = Readonly<Record<string, string>>;

export interface ResponseCache {
  remember(request: IncomingMessage, now: Date, question: Question): void;
  /** Answers when the question is known and nothing changed since; false leaves it to the usual way. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** What is known of a snapshot, most asked first. */
  mostRequested(snapshotId: string, most: number): { url: string; headers: Record<string, string> }[];
}

/** All remembered questions with their heads, roughly. */
const MOST_BYTES = 24 * 1024 * 1024;
/** What a question takes beside its letters: values, tags, and two heads in pieces. */
const ENTRY_BYTES = 4000;

interface Entry extends Omit<Question, "notChanged" | "answer"> {
  readonly since: number;
  /** Made when it is needed: most questions come to one of the two only. */
  readonly notChanged: () => HeadText;
  readonly answer: (() => HeadText) | undefined;
  /** How often since it is known. */
  asked: number;
}

/** In as few writes as there can be, without a copy. */
function sendPieces(response: ServerResponse, pieces: readonly Buffer[]): void {
  response.cork();
  for (const piece of pieces.slice(0, -1)) response.write(piece);
  response.end(pieces.at(-1));
  response.uncork();
}

function made<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}

export function createResponseCache({
  store,
  cache,
  now = () => new Date(),
}: {
  store: Store;
  cache: BodyCache;
  now?: () => Date;
}): ResponseCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: MOST_BYTES,
    // The address stands in Link too, twice in each head.
    sizeCalculation: ({ key }, letters) => 6 * letters.length + 2 * key.length + ENTRY_BYTES,
  });

  /** The address and every header that decides an answer. */
  const cacheKey = ({ url, headers }: IncomingMessage): string =>
    `${headers["accept-encoding"] ?? ""}\n${headers.accept ?? ""}\n${handlingOf(headers.prefer)}\n${url ?? ""}`;
  const handlingOf = (prefer: string | string[] | undefined) => (isStrict(prefer?.toString()) ? STRICT : "");
  const toRequest = (letters: string) => {
    const [encoding = "", accept = "", prefer = "", url = ""] = letters.split("\n");
    return {
      url,
      headers: {
        ...(encoding && { "accept-encoding": encoding }),
        ...(accept && { accept }),
        ...(prefer && { prefer }),
      },
    };
  };

  return {
    remember(request, at, { notChanged, answer, ...question }) {
      const letters = cacheKey(request);
      const before = entries.peek(letters);
      entries.set(letters, {
        ...question,
        asked: 1 + (before?.snapshotId === question.snapshotId ? before.asked : 0),
        since: at.getTime(),
        notChanged: made(() => createHeadText(304, { ...notChanged, ETag: "" })),
        answer: answer && made(() => createHeadText(200, answer)),
      });
    },
    answer(request, response) {
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      const entry = entries.get(cacheKey(request));
      if (!entry || entry.snapshotId !== store.current()?.id || entry.freshness !== store.freshness()) return false;
      const time = now();
      const at = time.getTime();
      const { fresh, since, key, tags, wraps, notChanged, answer } = entry;
      if (at < since || (fresh.until !== undefined && at >= fresh.until)) return false;
      const finished = cache.find(key);
      const ifNoneMatch = request.headers["if-none-match"] ?? null;
      let known = findKnown(ifNoneMatch, tags);
      if (known === undefined) {
        if (!finished || !answer) return false;
        if (isAnyKnown(ifNoneMatch)) known = answer().valueOf("etag");
      }
      entry.asked++;
      const note = requestLogFields(response);
      const requestId = note?.requestId ?? requestIdFor(request.headers["x-request-id"]);
      if (note) note.cache = known === undefined ? "hit" : "unchanged";
      const varying = {
        age: ageOf(fresh, at),
        "cache-control": cacheControl(fresh, at),
        "x-request-id": requestId,
        ...(known === undefined ? {} : { etag: known }),
      };
      if (known !== undefined) {
        notChanged().begin(response, varying, at);
        response.end();
      } else if (finished && answer) {
        if (note && finished.rows !== undefined) note.rows = finished.rows;
        const pieces = wraps ? enclose(finished, { requestId, now: time }) : [finished.bytes];
        answer().begin(response, { ...varying, "content-length": String(sizeOf(pieces)) }, at);
        if (request.method === "HEAD") response.end();
        else sendPieces(response, pieces);
      }
      return true;
    },
    mostRequested(snapshotId, most) {
      return [...entries.entries()]
        .filter(([, entry]) => entry.snapshotId === snapshotId)
        .sort(([, a], [, b]) => b.asked - a.asked)
        .slice(0, most)
        .map(([letters]) => toRequest(letters));
    },
  };
}
