import { describe, expect, it } from "vitest";
import { UpstreamTimeout } from "../../../pipeline/errors.ts";
import { createSingleFlight } from "../../../pipeline/sources/client/single-flight.ts";

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

describe("createSingleFlight", () => {
  it("does the work of several askers once, and again for who comes later", async () => {
    const flights = createSingleFlight<string>("schedule");
    const { start, signals, finish } = work();
    const both = [flights.join("a", soon(), start), flights.join("a", soon(), start)];
    const other = flights.join("b", soon(), () => Promise.resolve("b"));
    finish("a");
    expect(await Promise.all([...both, other])).toEqual(["a", "a", "b"]);
    expect(await flights.join("a", soon(), () => Promise.resolve("new"))).toBe("new");
    expect(signals).toHaveLength(1);
  });

  it("ends the work only when all who waited have left", async () => {
    const flights = createSingleFlight<string>("schedule");
    const { start, signals } = work();
    const [first, second] = [new AbortController(), new AbortController()];
    const asked = [first, second].map(({ signal }) => flights.join("a", { ...soon(), signal }, start));
    const settled = Promise.allSettled(asked);
    first.abort();
    expect(signals[0]?.aborted).toBe(false);
    second.abort();
    expect(signals[0]?.aborted).toBe(true);
    for (const outcome of await settled) expect(outcome).toMatchObject({ reason: expect.any(UpstreamTimeout) });
    await expect(flights.join("a", { ...soon(), signal: first.signal }, start)).rejects.toBeInstanceOf(UpstreamTimeout);
  });

  it("ends the work at the deadline", async () => {
    const flights = createSingleFlight<string>("schedule");
    const { start, signals } = work();
    await expect(flights.join("a", { deadline: performance.now() + 20 }, start)).rejects.toBeInstanceOf(
      UpstreamTimeout,
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(signals[0]?.aborted).toBe(true);
  });

  it("calls off what still runs when the work has failed", async () => {
    const flights = createSingleFlight<string>("schedule");
    let signal: AbortSignal | undefined;
    const failing = flights.join("a", soon(), (given) => {
      signal = given;
      return Promise.reject(new Error("no"));
    });
    await expect(failing).rejects.toThrow("no");
    expect(signal?.aborted).toBe(true);
  });
});
