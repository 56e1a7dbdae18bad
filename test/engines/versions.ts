/**
 * The versions of all third-party programs that `make engines` runs, for the installation and the table of
 * `test/README.md`.
 */
import { readFileSync } from "node:fs";

/** Delta Lake, and S3 for the Hadoop that pyspark brings. */
export const SPARK_JARS = [
  "io.delta:delta-spark_2.13:4.0.1",
  "io.delta:delta-storage:4.0.1",
  "org.apache.hadoop:hadoop-aws:3.4.1",
  "software.amazon.awssdk:bundle:2.24.6",
];
export const TRINO = "io.trino:trino-server:476:tar.gz";
export const VERSITYGW = "github.com/versity/versitygw/cmd/versitygw@v1.8.0";
export const S3MOCK = "com.adobe.testing:s3mock:5.2.0:jar:exec";
export const OPENAPI_GENERATOR = "org.openapitools:openapi-generator-cli:7.17.0";
export const OAPI_CODEGEN = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";
/** The generators, with the TypeScript that they need and the HTTP library of orval's client. */
export const NPM_GENERATORS = [
  "@hey-api/openapi-ts@0.95.0",
  "orval@7.13.2",
  "axios@1.12.2",
  "typescript@5.9.3",
  "@types/node@20",
];
/** Readers of Parquet in JavaScript and Go. */
export const NPM_READERS = [
  "apache-arrow@21.2.0",
  "parquet-wasm@0.8.0",
  "hyparquet@1.33.0",
  "hyparquet-compressors@1.1.2",
];
export const PARQUET_GO = "github.com/parquet-go/parquet-go@v0.32.0";
/** Its cache is tried beside the proxies of the machine's own Debian. */
export const UNDICI = "undici@7.30.2";
export const CONFORMANCE = "@modelcontextprotocol/conformance@0.1.16";

/** Readers of feeds and clients of event streams, in the order of what they need. */
export const NPM_FOLLOWERS = ["rss-parser@3.13.0", "feedsmith@3.0.1", "eventsource@5.1.5"];
export const GOFEED = "github.com/mmcdole/gofeed@v1.4.2";
export const FEED_RS = "feed-rs@3.0.0";
export const FOLLOWER_JARS = [
  "com.rometools:rome:2.1.0",
  "com.rometools:rome-utils:2.1.0",
  "org.jdom:jdom2:2.0.6.1",
  "org.slf4j:slf4j-api:2.0.17",
  "com.squareup.okhttp3:okhttp-sse:4.12.0",
  "com.squareup.okhttp3:okhttp:4.12.0",
  "com.squareup.okio:okio-jvm:3.6.0",
  "org.jetbrains.kotlin:kotlin-stdlib:1.9.10",
];

export type Requirements =
  | "requirements"
  | "requirements-duckdb-2"
  | "requirements-followers"
  | "requirements-fractions"
  | "requirements-generators"
  | "requirements-moto"
  | "requirements-peers";

/** Python packages, as pip reads them. */
export const requirementsOf = (name: Requirements): string =>
  readFileSync(new URL(`${name}.txt`, import.meta.url), "utf8");

type Named = readonly [name: string, version: string];

const ofPython = (name: Requirements): Named[] =>
  [...requirementsOf(name).matchAll(/^([\w.-]+(?:\[\w+\])?)==(\S+)$/gm)].map(([, name = "", version = ""]) => [
    name,
    version,
  ]);
/** `group:name:version`, `module@v1.2.3`, `@scope/name@1.2.3`. */
function ofAddress(address: string): Named {
  const [, group, name = "", version = ""] = /^([\w.]+):([\w.-]+):([\w.]+)/.exec(address) ?? [];
  if (group !== undefined) return [name, version];
  const at = address.lastIndexOf("@");
  const path = address.slice(0, at);
  return [
    path.startsWith("github.com/") ? (path.split("/").at(-1) ?? "") : path,
    address.slice(at + 1).replace(/^v/, ""),
  ];
}

/** The table of `test/README.md`. */
export function clientsTable(): string {
  const groups: readonly (readonly [what: string, clients: readonly Named[]])[] = [
    [
      "read files, lake and responses as their users do; schemathesis tries every request",
      [...ofPython("requirements"), ofAddress(TRINO)],
    ],
    ["reads them in its next major version", ofPython("requirements-duckdb-2")],
    [
      "read the averages in the files as they do by default",
      [...ofPython("requirements-fractions"), ...[...NPM_READERS, PARQUET_GO].map(ofAddress)],
    ],
    ["are in Spark", SPARK_JARS.map(ofAddress)],
    [
      "make clients of the OpenAPI document, or are in these",
      [...[...NPM_GENERATORS, OPENAPI_GENERATOR, OAPI_CODEGEN].map(ofAddress), ...ofPython("requirements-generators")],
    ],
    ["are the buckets", [ofAddress(VERSITYGW), ofAddress(S3MOCK), ...ofPython("requirements-moto")]],
    [
      "read feeds and follow event streams, or are in these",
      [...ofPython("requirements-followers"), ...[...NPM_FOLLOWERS, GOFEED, FEED_RS, ...FOLLOWER_JARS].map(ofAddress)],
    ],
    ["asks the tools for assistants", [ofAddress(CONFORMANCE)]],
    ["keeps responses, as do proxies of the machine's own Debian", [ofAddress(UNDICI)]],
  ];
  const lines = groups.map(
    ([what, clients]) => `| ${clients.map(([name, version]) => `${name} ${version}`).join(", ")} | ${what} |`,
  );
  return ["| clients, engines, generators, stores | what they do |", "|---|---|", ...lines].join("\n");
}
