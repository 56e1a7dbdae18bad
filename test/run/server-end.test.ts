/** How the server ends when an operator stops it (pipeline/RULES.md, Runs). */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPublisher } from "../pipeline/publish/publisher.ts";
import { start } from "../support/program.ts";
import { openFolder } from "../support/whole-run.ts";

describe("the server ends gracefully", () => {
  let here: Awaited<ReturnType<typeof openFolder>>;
  beforeAll(async () => {
    here = await openFolder();
    const publisher = await openPublisher(here.artifacts, { rows: 25_000, tables: ["grades"] });
    await publisher.publish();
    publisher.close();
  });
  afterAll(() => here?.remove());

  it.each(["SIGTERM", "SIGINT"] as const)(
    "on %s while a download runs: the download is whole, the status is 0",
    async (signal) => {
      const { child, ended, says } = start("server/main.ts", [], { ...here.env, HOST: "127.0.0.1", PORT: "0" });
      const [, url = ""] = await says(/"url":"(http:\/\/127\.0\.0\.1:\d+)"/);
      const { hostname, port } = new URL(url);
      // A client that only keeps its connection, and one that reads late.
      const idle = connect(Number(port), hostname);
      idle.write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
      await new Promise((resolve) => idle.once("data", resolve));
      const busy = connect(Number(port), hostname);
      busy.write("GET /v1/rest/grades/raw HTTP/1.1\r\nHost: x\r\n\r\n");
      const first = await new Promise<Buffer>((resolve) => busy.once("data", resolve));
      busy.pause();
      child.kill(signal);
      await new Promise((resolve) => idle.once("close", resolve));
      await expect(fetch(url)).rejects.toThrow();
      const parts = [first];
      for await (const part of busy) parts.push(part as Buffer);
      const text = Buffer.concat(parts).toString();
      expect(text).toMatch(/^HTTP\/1\.1 200/);
      const body = text.slice(text.indexOf("\r\n\r\n") + 4);
      expect(text).toContain(`content-length: ${Buffer.byteLength(body)}\r\n`);
      expect(JSON.parse(body)).toHaveLength(50_000);
      expect((await ended).code).toBe(0);
    },
  );
});
