/** Code and tests point to rules by file and heading: each of them exists. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const headings = (room: string) =>
  [...readFileSync(join(ROOT, room, "RULES.md"), "utf8").matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
const RULES: Readonly<Record<string, string[]>> = { server: headings("server"), pipeline: headings("pipeline") };
const NAMED = /\b(server|pipeline)\/RULES\.md, ([A-Z][\w ]*)/g;

const files = ["pipeline", "server", "test"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name)),
);

it("every rule that a file names stands under that heading", () => {
  const named = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(NAMED)].map(([, room = "", words = ""]) => ({
      file,
      room,
      words,
    })),
  );
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter(({ room, words }) => !RULES[room]?.some((heading) => words.startsWith(heading)))).toEqual([]);
});
