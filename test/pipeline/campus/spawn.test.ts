import { spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import type * as Spawn from "../../../pipeline/campus/listening/spawn.ts";
import { translated } from "../../support/program.ts";

const main = translated("pipeline/campus/listening/main.ts");
const spawnModule = pathToFileURL(translated("pipeline/campus/listening/spawn.ts")).href;
// The campus is spawned by compiled programs only.
const { spawnCampus } = (await import(spawnModule)) as typeof Spawn;

/** True when a server still answers there. */
const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

async function untilGone(url: string): Promise<void> {
  while (await answers(url)) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe("the campus as a child process", { timeout: 30_000 }, () => {
  test("listens on loopback at the addresses it names, and ends with close", async () => {
    const campus = await spawnCampus({ size: "standard", seed: 5, now: new Date("2026-11-21T20:00:00Z") });
    expect(Object.keys(campus.urls).toSorted()).toEqual([
      "CALENDAR_URL",
      "CATALOGUE_URL",
      "DIRECTORY_URL",
      "LARC_URL",
      "PREREQUISITES_URL",
      "RECORDS_URL",
      "SCHEDULE_URL",
    ]);
    expect(new Set(Object.values(campus.urls).map((url) => new URL(url).hostname))).toEqual(new Set(["127.0.0.1"]));
    expect(await answers(campus.urls.SCHEDULE_URL)).toBe(true);
    await campus.close();
    await campus.close();
    expect(await answers(campus.urls.SCHEDULE_URL)).toBe(false);
  });

  test.each(["the end of standard input", "SIGTERM"])("main.ts ends on %s", async (how) => {
    const child = spawn(process.execPath, [main], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    expect(JSON.parse(line.toString())).toHaveProperty("SCHEDULE_URL");
    if (how === "SIGTERM") child.kill("SIGTERM");
    else child.stdin.end();
    expect(await exited).toEqual([0, null]);
  });

  test.each(["forgets to close it", "is killed"])(
    "does not outlive a parent that %s, and does not hold it back",
    async (how) => {
      const script = `import { spawnCampus } from ${JSON.stringify(spawnModule)};
      const campus = await spawnCampus({ size: "standard" });
      process.stdout.write(campus.urls.SCHEDULE_URL);
      ${how === "is killed" ? "setInterval(() => {}, 1000);" : ""}`;
      const parent = spawn(process.execPath, ["--input-type=module", "--eval", script], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const exited = once(parent, "exit");
      const [url] = (await once(parent.stdout, "data")) as [Buffer];
      if (how === "is killed") parent.kill("SIGKILL");
      await exited;
      await untilGone(url.toString());
      expect(await answers(url.toString())).toBe(false);
    },
  );

  test("a child that cannot start is an error, not a wait", async () => {
    const child = spawn(process.execPath, [main, "--size", "huge"], {
      stdio: ["ignore", "ignore", "ignore"],
    });
    expect(await once(child, "exit")).toEqual([2, null]);
    await expect(spawnCampus({ size: "standard", port: -1 })).rejects.toThrow(/ended with status/);
  });
});
