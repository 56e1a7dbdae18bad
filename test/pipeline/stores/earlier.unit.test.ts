/** Which earlier snapshots a place lists, and which of them it has: on hosts that refuse, in lists that are behind, by publishers whose clocks differ. */
import { describe, expect, it } from "vitest";
import { UpstreamRefused } from "../../../pipeline/errors.ts";
import { listEarlier, readEarlierManifest } from "../../../pipeline/stores/earlier.ts";
import { type EarlierPlaces, SERVED, type StoreReader, STORED } from "../../../pipeline/stores/store.ts";

const signal = new AbortController().signal;
const idOf = (generation: number) => String(generation).repeat(16);
const at = (hour: number) => `2026-11-26T0${hour}:00:00.000Z`;
const one = (generation: number, hour = generation) => ({ id: idOf(generation), generation, createdAt: at(hour) });

/** A place with these texts, which says `missing` of all others. */
const place = (texts: Readonly<Record<string, string>>, missing: 403 | 404, earlier: readonly EarlierPlaces[]) => {
  const reader: StoreReader = {
    name: "a place",
    async read(key) {
      const text = texts[key];
      if (text !== undefined) return { content: Buffer.from(text), etag: null };
      if (missing === 403) throw new UpstreamRefused("a place", `/${key} returned status 403`, 403);
      return undefined;
    },
    download: () => Promise.reject(new Error("nothing is downloaded")),
  };
  return { reader, manifest: "current.json", earlier };
};
const listed = (...snapshots: object[]) => ({ [STORED.list]: JSON.stringify({ snapshots }) });

describe.each([
  ["a bucket", [STORED]],
  ["a static host", [SERVED, STORED]],
] as const)("%s", (_kind, earlier) => {
  describe.each([404, 403] as const)("that says %i of what it does not have", (missing) => {
    const idsOf = async (texts: Readonly<Record<string, string>>, current = one(5)) =>
      (await listEarlier(place(texts, missing, earlier), current, signal))?.map(({ generation }) => generation);

    it("lists what was before the snapshot in service, whatever the list has already or not yet", async () => {
      expect(await idsOf(listed(one(5), one(4), one(3)))).toEqual([4, 3]);
      expect(await idsOf(listed(one(7), one(6), one(5), one(4)))).toEqual([4]);
      expect(await idsOf(listed(one(4), one(3)))).toEqual([4, 3]);
      expect(await idsOf(listed())).toEqual([]);
      expect(await idsOf({})).toBeUndefined();
    });

    it("also where the clock of the publisher before was ahead", async () => {
      expect(await idsOf(listed(one(4, 9), one(3)))).toEqual([4, 3]);
      expect(await idsOf(listed(one(6, 4), one(4)))).toEqual([4]);
    });

    it("does not have what is not in the list any more; what is in it may come", async () => {
      const asked = (texts: Readonly<Record<string, string>>) =>
        readEarlierManifest(place(texts, missing, earlier), one(4), signal);
      expect(await asked(listed(one(5), one(3)))).toBeUndefined();
      for (const texts of [listed(one(5), one(4)), {}])
        if (missing === 403) await expect(asked(texts)).rejects.toThrow("403");
        else expect(await asked(texts)).toBeUndefined();
    });
  });
});
