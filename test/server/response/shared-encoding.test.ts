/** One compression for all who request a large body at the same time. */
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { createSharedEncodings } from "../../../server/response/encoding/shared-encoding.ts";

const TEXT = ["one ", "two ", "three ", "four"].map((word) => Buffer.from(word));

async function readAll(chunks: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += chunk.toString();
  return text;
}

function slowly(onStart: () => void) {
  return async function* () {
    onStart();
    for (const chunk of TEXT) {
      await wait(2);
      yield chunk;
    }
  };
}

async function* failing() {
  yield Buffer.from("one ");
  await wait(2);
  throw new Error("no memory");
}

it("runs once, and gives every reader the whole, also those who come late", async () => {
  const shared = createSharedEncodings();
  const kept: string[] = [];
  let starts = 0;
  const read = () =>
    readAll(
      shared.read(
        "a",
        slowly(() => starts++),
        (bytes) => kept.push(bytes.toString()),
      ),
    );
  const early = Array.from({ length: 63 }, read);
  await wait(5);
  const texts = await Promise.all([...early, read()]);
  expect(new Set(texts)).toEqual(new Set(["one two three four"]));
  expect([starts, kept]).toEqual([1, ["one two three four"]]);
});

it("goes on when the reader that began it leaves", async () => {
  const shared = createSharedEncodings();
  const kept: string[] = [];
  const keep = (bytes: Buffer) => void kept.push(bytes.toString());
  for await (const _ of shared.read(
    "a",
    slowly(() => undefined),
    keep,
  ))
    break;
  await expect(
    readAll(
      shared.read(
        "a",
        () => {
          throw new Error("a second encoder");
        },
        keep,
      ),
    ),
  ).resolves.toBe("one two three four");
  expect(kept).toHaveLength(1);
});

it("fails every reader when it fails, and begins anew for the next", async () => {
  const shared = createSharedEncodings();
  const both = [shared.read("a", failing, () => undefined), shared.read("a", failing, () => undefined)].map(readAll);
  for (const outcome of await Promise.allSettled(both))
    expect(outcome).toMatchObject({ reason: { message: "no memory" } });
  expect(
    await readAll(
      shared.read(
        "a",
        slowly(() => undefined),
        () => undefined,
      ),
    ),
  ).toBe("one two three four");
});

it("tells those who wait for its end that it ended, failed or became too large, not that it has a slow reader", async () => {
  const shared = createSharedEncodings(8);
  expect(shared.settled("a")).toBeUndefined();
  const kept: string[] = [];
  async function* short() {
    yield Buffer.from("one ");
    await wait(2);
    yield Buffer.from("two");
  }
  // Nobody reads it: it runs to its end all the same.
  shared.read("a", short, (bytes) => void kept.push(bytes.toString()));
  await shared.settled("a");
  expect([kept, shared.settled("a")]).toEqual([["one two"], undefined]);

  const failed = readAll(shared.read("a", failing, () => undefined));
  await Promise.all([shared.settled("a"), expect(failed).rejects.toThrow("no memory")]);

  const stalled = shared.read(
    "a",
    slowly(() => undefined),
    () => undefined,
  );
  await shared.settled("a");
  expect(shared.settled("a")).toBeUndefined();
  stalled.destroy();
});

it("keeps different bodies apart", async () => {
  const shared = createSharedEncodings();
  const other = async function* () {
    yield Buffer.from("other");
  };
  const read = [
    shared.read(
      "a",
      slowly(() => undefined),
      () => undefined,
    ),
    shared.read("b", other, () => undefined),
  ];
  expect(await Promise.all(read.map(readAll))).toEqual(["one two three four", "other"]);
});

it("goes no faster than its readers once encodings hold too much, keeps nothing for late ones, and ends with the last", async () => {
  const shared = createSharedEncodings(10_000);
  const kept: string[] = [];
  const keep = (bytes: Buffer) => void kept.push(bytes.toString());
  let made = 0;
  let ends = 0;
  async function* large() {
    try {
      for (; made < 500; made++) yield Buffer.alloc(1000, made % 256);
    } finally {
      ends++;
    }
  }
  const stalled = shared.read("a", large, keep);
  stalled.read();
  await wait(20);
  // What the stream itself buffers comes on top: its high-water mark.
  const whileStalled = made;
  expect(whileStalled).toBeLessThan((10_000 + stalled.readableHighWaterMark) / 1000 + 3);
  const late = shared.read(
    "a",
    slowly(() => undefined),
    keep,
  );
  expect([await readAll(late), kept]).toEqual(["one two three four", ["one two three four"]]);
  expect([made, ends]).toEqual([whileStalled, 0]);
  stalled.destroy();
  await expect.poll(() => ends).toBe(1);
  expect([made, kept.length]).toEqual([whileStalled, 1]);
});
