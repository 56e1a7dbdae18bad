/**
 * An S3 store for tests, over real HTTP on loopback, path style, one bucket in memory: GET, HEAD, PUT, DELETE and
 * ListObjectsV2 with the conditions, errors and signatures of Amazon S3. Writes are atomic, and conditional writes of
 * the same key are decided one after another.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type RunningStore, storeEnv } from "./client.ts";
import {
  errorResponse,
  listenForRequests,
  S3Error,
  type StoreRequest,
  type StoreResponse,
  targetOf,
} from "./exchange.ts";
import { type FaultHook, type LoggedRequest, respondWithFault } from "./faults.ts";
import {
  checkConditions,
  type Condition,
  deleteObject,
  getObject,
  listObjects,
  putObject,
  type StoredObjects,
} from "./objects.ts";
import { checkSignature, type Credentials } from "./signature.ts";

const RACE_MS = 5;

export interface S3StoreOptions {
  readonly bucket?: string;
  readonly credentials?: Partial<Credentials>;
  /** The conditions of writes that it ignores. */
  readonly lacks?: readonly Condition[];
  /** The conditions that it checks some time before it writes, so that two concurrent writes may both win. */
  readonly races?: readonly Condition[];
  /** Keeps objects as files: a write below the key of an object has this status. */
  readonly belowObject?: 409 | 500;
  /** The most keys of one page of a listing, 1000 in Amazon S3. */
  readonly maxKeys?: number;
  /** The store's clock. */
  readonly now?: () => Date;
}

export interface S3Store extends RunningStore {
  /** The stored objects; a test may change them. */
  readonly objects: () => StoredObjects;
  /** Every request, in the order in which they ended. */
  readonly requests: LoggedRequest[];
  /** Asked for each request in this order, until one names a fault. */
  readonly faults: FaultHook[];
}

export async function openS3Store(options: S3StoreOptions = {}): Promise<S3Store> {
  const { belowObject, bucket = "campus", lacks = [], races = [], maxKeys = 1000, now = () => new Date() } = options;
  const credentials: Credentials = {
    accessKeyId: "AKIATEST",
    secretAccessKey: "a secret/of+tests",
    region: "eu-test-1",
    ...options.credentials,
  };
  const objects: StoredObjects = new Map();
  const requests: LoggedRequest[] = [];
  const faults: FaultHook[] = [];

  function perform(request: StoreRequest): StoreResponse {
    const { method, headers, body } = request;
    const query = new URLSearchParams(request.search);
    checkSignature(request, credentials, now());
    const target = targetOf(request.path);
    const { key } = target;
    if (target.bucket !== bucket) throw new S3Error(404, "NoSuchBucket", "The specified bucket does not exist");
    if (method === "GET" && key === "" && query.get("list-type") === "2")
      return listObjects(objects, bucket, query, maxKeys);
    if (method === "HEAD" && key === "") return { status: 200, headers: {}, body: Buffer.alloc(0) };
    if (key === "") throw new S3Error(501, "NotImplemented", "This store has no such operation.");
    if (method === "GET" || method === "HEAD") return getObject(objects, key, request);
    if (method === "DELETE") return deleteObject(objects, key, request, lacks);
    if (method !== "PUT") throw new S3Error(405, "MethodNotAllowed");
    if (headers["content-length"] === undefined)
      throw new S3Error(411, "MissingContentLength", "You must provide the Content-Length HTTP header.");
    if (Number(headers["content-length"]) !== body.length) throw new S3Error(400, "IncompleteBody");
    const isBelow = key.split("/").some((_, end, segments) => end > 0 && objects.has(segments.slice(0, end).join("/")));
    if (belowObject !== undefined && isBelow) throw new S3Error(belowObject, "InvalidObjectState");
    return putObject(objects, key, request, lacks);
  }

  async function handle(request: StoreRequest): Promise<StoreResponse> {
    try {
      const racing = races.filter((condition) => request.method === "PUT" && condition in request.headers);
      if (racing.length === 0) return perform(request);
      checkConditions(request, objects.get(targetOf(request.path).key), lacks);
      await sleep(RACE_MS);
      checkSignature(request, credentials, now());
      return putObject(objects, targetOf(request.path).key, request, racing);
    } catch (error) {
      if (error instanceof S3Error) return errorResponse(error);
      throw error;
    }
  }

  const { url, close } = await listenForRequests(async (request, response) => {
    requests.push(await respondWithFault(faults, request, response, handle));
  });
  const target = { url, bucket, credentials };
  return { ...target, env: storeEnv(target), objects: () => objects, requests, faults, close };
}
