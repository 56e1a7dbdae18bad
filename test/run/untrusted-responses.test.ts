/**
 * Bytes that contradict their declaration, and redirects to other hosts: a run names each, and the published data
 * stays.
 */
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openGuardedCampus, product } from "../support/upstream/guarded-campus.ts";

describe("responses that a run does not trust", () => {
  const { upstream, original, everything, publish } = openGuardedCampus();
  const other = createServer((_, response) => void response.end("a,b\n"));
  let asked = 0;
  let otherUrl = "";
  beforeAll(async () => {
    other.on("request", () => asked++);
    await once(other.listen(0, "127.0.0.1"), "listening");
    otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  });
  afterAll(() => other.close());

  it("pages in Latin-1 that claim to be UTF-8 are damaged, whatever the system", async () => {
    const type = "text/html; charset=utf-8";
    const body = Buffer.from("<!doctype html><html><body>Café</body></html>", "latin1");
    upstream().setFaults([
      { match: { system: "catalogue", path: "/allcourses/stats/i" }, body, type },
      { match: { system: "prerequisites", params: { dept: "STATS" } }, body, type },
      { match: { system: "calendar", path: "/2019-2020/i" }, body, type },
      { match: { system: "larc", path: "/larc/201992/i" }, body, type },
      { match: { system: "directory", nth: 5 }, times: 1000, body, type: "application/json; charset=utf-8" },
      { match: { system: "records", path: "/records/" }, body, type },
    ]);
    const report = await publish("build", { SCHEDULE_URL: "" });
    expect(report.failed).toBe(true);
    const words = (name: string) => [product(report, name)?.damaged, product(report, name)?.error].flat().join("; ");
    for (const name of ["catalogue", "calendar", "larc", "instructors", "grades"])
      expect(words(name)).toContain("the page is damaged: it is not in utf-8");
    expect(await everything()).toEqual(original());
    expect(JSON.stringify(await everything())).not.toContain("\ufffd");
  });

  it("a search form in another encoding than it claims fails the schedule", async () => {
    const body = Buffer.from("<html><body>Café</body></html>", "latin1");
    upstream().setFaults([
      { match: { system: "schedule", params: { Submit: "/^$/" } }, body, type: "text/html; charset=utf-8" },
    ]);
    expect(product(await publish("refresh"), "schedule")?.error).toContain("not in utf-8");
    expect(await everything()).toEqual(original());
  });

  it("redirects of an export, a catalogue page or a tutorial to another port are named and never followed", async () => {
    upstream().setFaults([
      { match: { system: "records", path: "/Summer/i" }, redirect: otherUrl },
      { match: { system: "catalogue", path: "/allcourses/stats/i" }, redirect: otherUrl },
      { match: { system: "larc", path: "/larc/201992/i" }, redirect: otherUrl },
      { match: { system: "calendar", path: "/2019-2020/i" }, redirect: otherUrl },
      { match: { system: "prerequisites", params: { dept: "STATS" } }, redirect: otherUrl },
      { match: { system: "directory", nth: 5 }, times: 1000, redirect: otherUrl },
    ]);
    const report = await publish("build", { SCHEDULE_URL: "" });
    for (const name of ["grades", "catalogue", "larc", "calendar", "instructors"])
      expect(product(report, name)?.damaged.join("; ")).toContain(
        `redirects to another host: ${new URL(otherUrl).host}`,
      );
    expect(asked).toBe(0);
    expect(await everything()).toEqual(original());
  });
});
