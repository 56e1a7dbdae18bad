/** What PUBLISH_TO, FOLLOW_URL and the AWS_* variables may say. */
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { readPipelineConfig } from "../../../pipeline/settings/pipeline.ts";
import { openStore } from "../../../pipeline/store/open-store.ts";
import { readServerConfig } from "../../../pipeline/settings/server.ts";

it.each([
  ["s3://bucket", "s3://bucket"],
  ["s3://bucket/a/b/", "s3://bucket/a/b/"],
  ["S3://bucket/a", "s3://bucket/a"],
  [tmpdir(), `file://${tmpdir()}`],
  [`file://${tmpdir()}/a%20b`, `file://${tmpdir()}/a%20b`],
  ["./lake", `file://${process.cwd()}/lake`],
])("PUBLISH_TO=%s", (given, href) => {
  expect(readPipelineConfig({ PUBLISH_TO: given }).publishTo?.href).toBe(href);
});

it.each(["a b/é", "100%", "a%20b", "x=1/y+z~(1)'*!"])("PUBLISH_TO=s3://bucket/%s has keys that begin so", (prefix) => {
  const { aws, publishTo } = readPipelineConfig({ PUBLISH_TO: `s3://bucket/${prefix}` });
  expect(openStore(publishTo as URL, { aws }).base).toBe(`s3://bucket/${prefix}/`);
});

it.each([
  "s3://",
  "s3:bucket",
  "gs://bucket",
  "file://elsewhere/lake",
  "https://host/lake",
  "s3://key:secret@bucket/a",
  "s3://bucket?x=1",
  "lake",
])("PUBLISH_TO=%s is refused without its credentials", (given) => {
  expect(() => readPipelineConfig({ PUBLISH_TO: given })).toThrow(
    /^PUBLISH_TO must be s3:\/\/bucket\/prefix or a folder/,
  );
  expect(() => readPipelineConfig({ PUBLISH_TO: given })).not.toThrow(/secret/);
});

it.each(["https://host/lake", "s3://bucket/lake", tmpdir(), `file://${tmpdir()}`])("FOLLOW_URL=%s", (given) => {
  expect(readServerConfig({ FOLLOW_URL: given }).followUrl).toBeInstanceOf(URL);
});

const KEYS = { AWS_ACCESS_KEY_ID: "AKIATEST", AWS_SECRET_ACCESS_KEY: "secret" };
const CREDENTIALS = { accessKeyId: "AKIATEST", secretAccessKey: "secret" };

it.each([
  [{}, { region: "us-east-1", credentials: undefined, endpoint: undefined, pathStyle: undefined }],
  [KEYS, { credentials: CREDENTIALS }],
  [{ ...KEYS, AWS_SESSION_TOKEN: "token" }, { credentials: { ...CREDENTIALS, sessionToken: "token" } }],
  [{ AWS_DEFAULT_REGION: "eu-west-1" }, { region: "eu-west-1" }],
  [{ AWS_DEFAULT_REGION: "eu-west-1", AWS_REGION: "eu-west-2" }, { region: "eu-west-2" }],
  [{ AWS_ENDPOINT_URL: "http://a:1" }, { endpoint: new URL("http://a:1") }],
  [{ AWS_ENDPOINT_URL: "http://a:1", AWS_ENDPOINT_URL_S3: "http://b:1" }, { endpoint: new URL("http://b:1") }],
  [{ AWS_S3_FORCE_PATH_STYLE: "0" }, { pathStyle: false }],
])("%o", (env, expected) => {
  expect(readPipelineConfig(env).aws).toMatchObject(expected);
  expect(readServerConfig(env).aws).toMatchObject(expected);
});

it("a key id without its secret is none: other programs may have left it there", () => {
  for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] as const)
    expect(readPipelineConfig({ [name]: "x" }).aws.credentials).toBeUndefined();
});
