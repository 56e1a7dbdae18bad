/**
 * A place that snapshots are published to and copied from: a folder, a static host or a server (read only), or a
 * bucket. Objects have keys such as `grades/2025-<hash>.parquet`, relative to the place.
 */

/** An object and its entity tag. */
export interface Stored {
  readonly content: Buffer;
  readonly etag: string | null;
}

/** A text, or the path of the file that holds the content. */
export type Content = string | { readonly at: string };

export interface StoredFile {
  readonly key: string;
  /** The path of the file that holds it. */
  readonly at: string;
}

export interface ReadOptions {
  /** Answered by `unchanged` while the object has this entity tag. */
  readonly etag?: string | null;
  readonly signal?: AbortSignal;
}

export interface StoreReader {
  /** For messages; without credentials. */
  readonly name: string;
  /** Undefined when there is no such object. @throws UpstreamError */
  read(key: string, options?: ReadOptions): Promise<Stored | "unchanged" | undefined>;
  /** Downloads `bytes` bytes to `path`, resuming a partial download. The hash is not verified. @throws UpstreamError */
  download(key: string, bytes: number, path: string, signal?: AbortSignal): Promise<void>;
  /** The path of an object, in a folder on this machine. It may be missing or damaged. */
  readonly locate?: (key: string) => string;
}

export interface Listed {
  readonly key: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** A place whose objects can be listed. */
export interface ListedReader extends StoreReader {
  /** Sorted by key. */
  list(prefix: string): Promise<Listed[]>;
}

/** Every write is atomic and durable. @throws UpstreamError of each function */
export interface Store extends ListedReader {
  /** The prefix of keys for other programs: `s3://bucket/prefix/`, `/srv/lake/`. */
  readonly base: string;
  /** Adds an object. False when there is one of that key, whose content stays. */
  create(key: string, text: string): Promise<boolean>;
  /** Adds data files whose keys name their content: those that are there are left alone. */
  addFiles(files: readonly StoredFile[]): Promise<void>;
  /** Replaces the object that has this entity tag; null = there is none yet. False when another one is there. */
  replace(key: string, content: Content, etag: string | null): Promise<boolean>;
  remove(key: string): Promise<void>;
  /** Unreferenced objects younger than this may belong to a publication in progress. */
  readonly graceMs: number;
  /**
   * Checks the guarantees that publishers rely on.
   * @throws UsageError that names a guarantee which the place does not give
   */
  probe(): Promise<void>;
  /**
   * Runs `work` while no other publisher of this program writes to a folder; a bucket decides every write by itself.
   * @throws LockedError while another one does
   */
  exclusively<T>(work: (assertHeld: () => Promise<void>) => Promise<T>): Promise<T>;
}

/** Returns the part of a store whose keys begin with `prefix`, as a separate store. */
export function storeBelow(store: Store, prefix: string): Store {
  const { locate } = store;
  const keyOf = (key: string): string => `${prefix}${key}`;
  return {
    ...store,
    name: `${store.name}/${prefix.replace(/\/$/, "")}`,
    base: `${store.base}${prefix}`,
    read: (key, options) => store.read(keyOf(key), options),
    download: (key, ...download) => store.download(keyOf(key), ...download),
    create: (key, text) => store.create(keyOf(key), text),
    addFiles: (files) => store.addFiles(files.map((file) => ({ ...file, key: keyOf(file.key) }))),
    replace: (key, ...replacement) => store.replace(keyOf(key), ...replacement),
    list: async (below) =>
      (await store.list(keyOf(below))).map((listed) => ({ ...listed, key: listed.key.slice(prefix.length) })),
    remove: (key) => store.remove(keyOf(key)),
    ...(locate ? { locate: (key: string) => locate(keyOf(key)) } : {}),
  };
}

/** Lists the version of each table that belongs to each snapshot. */
export const SNAPSHOTS = "snapshots.json";
/** The retained snapshots as a DuckLake. */
export const DUCKLAKE = "lake.ducklake";
