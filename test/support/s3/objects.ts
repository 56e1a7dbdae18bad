/** The objects of a bucket, in memory: reads, conditional writes and listings as Amazon S3 answers them. */
import { createHash } from "node:crypto";
import { escapeXml, S3Error, type StoreRequest, type StoreResponse, xmlResponse } from "./exchange.ts";

export interface StoredObject {
  readonly body: Buffer;
  /** Quoted. */
  readonly etag: string;
  readonly lastModified: Date;
  readonly contentType: string;
}

/** Objects by key. */
export type StoredObjects = Map<string, StoredObject>;

/** The conditions that a store may lack: it ignores the condition of a write. */
export type Condition = "if-none-match" | "if-match";

export function storedObject(body: Uint8Array, contentType = "binary/octet-stream", now = new Date()): StoredObject {
  const etag = `"${createHash("md5").update(body).digest("hex")}"`;
  return { body: Buffer.from(body), etag, lastModified: now, contentType };
}

const EMPTY = Buffer.alloc(0);
const noSuchKey = () => new S3Error(404, "NoSuchKey", "The specified key does not exist.");
const failed = () =>
  new S3Error(412, "PreconditionFailed", "At least one of the preconditions you specified did not hold.");

const unquoted = (etag: string): string => etag.trim().replace(/^"|"$/g, "");
const matches = (header: string, { etag }: StoredObject): boolean =>
  header.split(",").some((tag) => tag.trim() === "*" || unquoted(tag) === unquoted(etag));

/** @throws S3Error when a condition of the write does not hold */
export function checkConditions(
  { headers }: StoreRequest,
  existing: StoredObject | undefined,
  lacks: readonly Condition[],
): void {
  const noneMatch = lacks.includes("if-none-match") ? undefined : headers["if-none-match"];
  const match = lacks.includes("if-match") ? undefined : headers["if-match"];
  if (noneMatch !== undefined && noneMatch !== "*")
    throw new S3Error(501, "NotImplemented", "A write can only have If-None-Match: *");
  if (noneMatch !== undefined && existing) throw failed();
  if (match !== undefined && !existing) throw noSuchKey();
  if (match !== undefined && existing && !matches(match, existing)) throw failed();
}

/** Conditions and write are one step: nothing else happens between them. */
export function putObject(
  objects: StoredObjects,
  key: string,
  request: StoreRequest,
  lacks: readonly Condition[],
): StoreResponse {
  checkConditions(request, objects.get(key), lacks);
  const object = storedObject(request.body, request.headers["content-type"]);
  objects.set(key, object);
  return { status: 200, headers: { etag: object.etag }, body: EMPTY };
}

export function deleteObject(
  objects: StoredObjects,
  key: string,
  request: StoreRequest,
  lacks: readonly Condition[],
): StoreResponse {
  checkConditions(request, objects.get(key), lacks);
  objects.delete(key);
  return { status: 204, headers: {}, body: EMPTY };
}

/** GET and HEAD. */
export function getObject(objects: StoredObjects, key: string, { headers, method }: StoreRequest): StoreResponse {
  const object = objects.get(key);
  if (!object) throw noSuchKey();
  const { body, etag, lastModified, contentType } = object;
  const { "if-match": match, "if-none-match": noneMatch, range } = headers;
  const common = { etag, "last-modified": lastModified.toUTCString(), "accept-ranges": "bytes" };
  if (match !== undefined && !matches(match, object)) throw failed();
  if (noneMatch !== undefined && matches(noneMatch, object)) return { status: 304, headers: common, body: EMPTY };
  const part = readRange(range, body.length);
  const sent = part ? body.subarray(part.from, part.to + 1) : body;
  return {
    status: part ? 206 : 200,
    headers: {
      ...common,
      "content-type": contentType,
      ...(part ? { "content-range": `bytes ${part.from}-${part.to}/${body.length}` } : {}),
      ...(method === "HEAD" ? { "content-length": String(sent.length) } : {}),
    },
    body: sent,
  };
}

/** A single range of bytes; S3 ignores a header that asks for several. */
function readRange(header: string | undefined, size: number): { from: number; to: number } | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const from = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (from > to) throw new S3Error(416, "InvalidRange", "The requested range is not satisfiable");
  return { from, to };
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** ListObjectsV2. A page has at most `maxKeys` keys and common prefixes. */
export function listObjects(
  objects: StoredObjects,
  bucket: string,
  query: URLSearchParams,
  maxKeys: number,
): StoreResponse {
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter") ?? "";
  const token = query.get("continuation-token");
  const limit = Math.min(maxKeys, Number(query.get("max-keys") ?? maxKeys));
  const after = token === null ? (query.get("start-after") ?? "") : Buffer.from(token, "base64url").toString();
  // A key, or what several keys have in common up to the delimiter.
  const entries = new Set<string>();
  for (const key of objects.keys()) {
    if (!key.startsWith(prefix)) continue;
    const end = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
    entries.add(end < 0 ? key : key.slice(0, end + delimiter.length));
  }
  const left = [...entries].filter((entry) => byBytes(entry, after) > 0).sort(byBytes);
  const page = left.slice(0, limit);
  const encoded = (text: string) =>
    query.get("encoding-type") === "url" ? encodeURIComponent(text).replaceAll("%2F", "/") : escapeXml(text);
  const next = left.length > limit ? Buffer.from(page.at(-1) ?? "").toString("base64url") : undefined;
  const contents = page.map((entry) => {
    const object = objects.get(entry);
    return object === undefined
      ? `<CommonPrefixes><Prefix>${encoded(entry)}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${encoded(entry)}</Key><LastModified>${object.lastModified.toISOString()}</LastModified><ETag>${escapeXml(object.etag)}</ETag><Size>${object.body.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`;
  });
  const lines = [
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">`,
    `<Name>${bucket}</Name><Prefix>${encoded(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${limit}</MaxKeys>`,
    ...(query.has("encoding-type") ? ["<EncodingType>url</EncodingType>"] : []),
    ...(delimiter === "" ? [] : [`<Delimiter>${encoded(delimiter)}</Delimiter>`]),
    `<IsTruncated>${next !== undefined}</IsTruncated>`,
    ...(next === undefined ? [] : [`<NextContinuationToken>${next}</NextContinuationToken>`]),
    ...contents,
    "</ListBucketResult>",
  ];
  return xmlResponse(200, lines.join(""));
}
