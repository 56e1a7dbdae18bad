import { describe, expect, it } from "vitest";
import { UpstreamTimeout } from "../../../pipeline/errors.ts";
import { createSharing, isAbandoned } from "../../../pipeline/sources/single-flight.ts";

const soon = () => ({ deadline: performance.now() + 10_000 });

/** Work that ends when it is told to, or when its signal says so. */
const work = () => {
  const signals: AbortSignal[] = [];
  let finish: ((answer: string) => void) | undefined;
  const start = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<string>((resolve, reject) => {
      finish = resolve;
      signal.addEventListener("abort", () => reject(new UpstreamTimeout("schedule", "ended")));
    });
  };
  return { start, signals, finish: (answer: string) => finish?.(answer) };
};

describe("createSharing", () => {
  it("does the work of several askers once, and again for who comes later", async () => {
    const sharing = createSharing<string>("schedule");
    const { start, signals, finish } = work();
    const both = [sharing.join("a", soon(), start), sharing.join("a", soon(), start)];
    const other = sharing.join("b", soon(), () => Promise.resolve("b"));
    finish("a");
    expect(await Promise.all([...both, other])).toEqual(["a", "a", "b"]);
    expect(await sharing.join("a", soon(), () => Promise.resolve("new"))).toBe("new");
    expect(signals).toHaveLength(1);
  });

  it("ends the work only when all who waited have left", async () => {
    const sharing = createSharing<string>("schedule");
    const { start, signals } = work();
    const [first, second] = [new AbortController(), new AbortController()];
    const asked = [first, second].map(({ signal }) => sharing.join("a", { ...soon(), signal }, start));
    const settled = Promise.allSettled(asked);
    first.abort();
    expect(signals[0]?.aborted).toBe(false);
    second.abort();
    expect(signals[0] && isAbandoned(signals[0])).toBe(true);
    for (const one of await settled) expect(one).toMatchObject({ reason: expect.any(UpstreamTimeout) });
    await expect(sharing.join("a", { ...soon(), signal: first.signal }, start)).rejects.toBeInstanceOf(UpstreamTimeout);
  });

  it("ends the work at the deadline, which is not the same as being left alone", async () => {
    const sharing = createSharing<string>("schedule");
    const { start, signals } = work();
    await expect(sharing.join("a", { deadline: performance.now() + 20 }, start)).rejects.toBeInstanceOf(
      UpstreamTimeout,
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(signals[0]?.aborted).toBe(true);
    expect(signals[0] && isAbandoned(signals[0])).toBe(false);
  });

  it("calls off what still runs when the work has failed", async () => {
    const sharing = createSharing<string>("schedule");
    let signal: AbortSignal | undefined;
    const failing = sharing.join("a", soon(), (given) => {
      signal = given;
      return Promise.reject(new Error("no"));
    });
    await expect(failing).rejects.toThrow("no");
    expect(signal?.aborted).toBe(true);
  });
});
