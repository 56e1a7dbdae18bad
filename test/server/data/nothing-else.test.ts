/** Nothing but published files can be had below /v1/data. */
import { afterAll, expect, it } from "vitest";
import { ask, parseRaw, sendRaw } from "../http/wire.ts";
import { openTwoGenerations } from "./two-generations.ts";

const { url, artifacts, grades, at, close } = await openTwoGenerations();
afterAll(close);

it.each([
  "/v1/data/current/manifest.json",
  "/v1/data/current/../../freshness.json",
  "/v1/data/current/..%2f..%2ffreshness.json",
  "/v1/data/..%2f..%2freport.txt",
  "/v1/data/%2e%2e/%2e%2e/etc/passwd",
  "/v1/data/..\\..\\freshness.json",
  "/v1/data/current//etc/passwd",
  "/v1/data/current/grades",
  "/v1/data/current/",
  "/v1/data/current",
  "/v1/data/",
  "/v1/data/1-0000000000000000/grades/x.parquet",
  "/v1/data/__proto__/constructor",
])("%s is 404", async (path) => {
  const { status, body } = parseRaw(await sendRaw(url, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`));
  expect(status).toBe(404);
  expect(body).not.toContain(artifacts);
});

it("a path that is no percent-encoding is 400; one that is encoded more than needed is found", async () => {
  const { status } = parseRaw(
    await sendRaw(url, "GET /v1/data/%zz/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
  );
  expect(status).toBe(400);
  expect((await ask(at(grades).replace("2024-", "2024%2D"))).status).toBe(200);
});
