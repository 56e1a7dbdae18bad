/** When rows return to what a retained snapshot held, which is no loss. */
import { describe, expect, it } from "vitest";
import type { Version } from "./counted-versions.ts";
import { comment, refused, texts, version, type World } from "./refused-versions.ts";

describe("a return", () => {
  const at = (day: number) => `2026-11-${day}T00:00:00Z`;
  const before = version("before", 100, { columns: comment(60), at: at(12) });
  const other = version("published", 100, { columns: comment(100), at: at(19) });
  const staged = { rows: 100, columns: comment(40) };

  it("to what a retained snapshot held is noted, accepted and no loss", async () => {
    const healed = await refused({ staged, versions: [other, { ...before, columns: comment(44) }] });
    expect(healed.reasons).toEqual([]);
    expect([...healed.accepted]).toEqual(["sections 2026 Fall"]);
    expect(healed.noted()).toEqual([
      {
        reason: "a return to the content of snapshot of before",
        count: 1,
        names: ["`sectionComment` of 2026 Fall lost 60 of 100 values (40 of 100 rows have one)"],
      },
    ]);
  });

  it.each<[string, Version[]]>([
    ["nothing like it is retained", [other, { ...before, columns: comment(90) }]],
    ["it is of other things", [other, { ...before, columns: comment(44), keys: [1, 2, 3] }]],
    [
      "what is published stood before that too",
      [other, { ...before, columns: comment(44) }, { ...other, name: "first", at: at(10) }],
    ],
    [
      "it stood before that too, as the same content",
      [
        { ...other, content: "same" },
        { ...before, columns: comment(44) },
        { ...other, name: "first", content: "same", at: at(10) },
      ],
    ],
    ["it cannot be read", [other, { ...before, columns: comment(44), isBroken: true }]],
  ])("is none where %s", async (_what, versions) => {
    const { accepted, reasons } = await refused({ staged, versions });
    expect([reasons.length, accepted.size]).toEqual([1, 0]);
  });

  it("is none where the earlier one is as far from what is staged as from what is published", async () => {
    const versions = [
      { ...other, columns: comment(75) },
      { ...before, columns: comment(50) },
    ];
    expect(await texts({ staged: { rows: 100, columns: comment(25) }, versions })).toHaveLength(1);
    expect(await texts({ staged: { rows: 100, columns: comment(26) }, versions })).toEqual([]);
  });

  it("is still one beside an earlier version that is as far from both", async () => {
    const versions = [
      { ...other, columns: comment(75) },
      { ...before, columns: comment(30) },
      version("equal", 100, { columns: comment(50), at: at(10) }),
    ];
    expect(await texts({ staged: { rows: 100, columns: comment(25) }, versions })).toEqual([]);
  });

  it("is of the same things with 95 % of their keys", async () => {
    const keys = (from: number) => Array.from({ length: 100 }, (_, n) => n + from);
    const returned = (from: number): World => ({
      staged: { ...staged, keys: keys(from) },
      versions: [other, { ...before, columns: comment(44) }],
    });
    expect(await texts(returned(5))).toEqual([]);
    expect(await texts(returned(6))).toHaveLength(1);
  });

  it("is one in keys, in the form of a column and in several columns too", async () => {
    const keys = Array.from({ length: 100 }, (_, n) => n + 51);
    const versions = [
      { ...other, columns: {} },
      { ...before, columns: {}, keys },
    ];
    expect(await texts({ staged: { rows: 100, keys }, versions }, { hasLastingKeys: true })).toEqual([]);

    const units = (formed: number) => ({ units: { filled: 100, written: 100, formed } });
    const written = [
      { ...other, columns: units(100) },
      { ...before, columns: units(10) },
    ];
    expect(await texts({ staged: { rows: 100, columns: units(0) }, versions: written })).toEqual([]);
    expect(await texts({ staged: { rows: 100, columns: units(0) }, versions: written.slice(0, 1) })).toHaveLength(1);

    const both = [
      { ...other, columns: { ...comment(80), courseTitle: { filled: 100 } } },
      { ...before, columns: {} },
    ];
    const { noted } = await refused({ staged: { rows: 100 }, versions: both });
    expect(noted().map(({ names }) => names)).toEqual([
      ["`courseTitle` of 2026 Fall is empty (100 before); `sectionComment` of 2026 Fall is empty (80 before)"],
    ]);
  });

  it("is one in the number of rows too, of the same things", async () => {
    const left = (rows: number): World => ({
      staged: { rows: 50, columns: comment(30) },
      versions: [
        { ...other, columns: comment(30) },
        { ...before, rows, columns: comment(30) },
      ],
    });
    expect(await texts(left(52), { rows: {} })).toEqual([]);
    expect(await texts(left(53), { rows: {} })).toHaveLength(1);
  });
});
