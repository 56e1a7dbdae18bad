import { describe, expect, it } from "vitest";
import { UpstreamBadResponse, UpstreamRefused, UpstreamTimeout, type UpstreamError } from "../../../pipeline/errors.ts";
import { createCircuitBreaker } from "../../../pipeline/sources/client/circuit-breaker.ts";

const start = () => {
  let now = 0;
  let asked = 0;
  const breaker = createCircuitBreaker({ failures: 3, openMs: 100, clock: () => now });
  const ask = (error?: Error, isAbandoned?: () => boolean) =>
    breaker.execute(async () => {
      asked++;
      if (error) throw error;
      return "answer";
    }, isAbandoned);
  return { ask, asked: () => asked, pass: (ms: number) => void (now += ms), breaker };
};

describe("createCircuitBreaker", () => {
  it.each<UpstreamError>([
    new UpstreamTimeout("schedule", "late"),
    new UpstreamRefused("schedule", "status 503", 503, 7_000),
    new UpstreamBadResponse("schedule", "cut off"),
  ])("fails fast with the class of the last failure: $name", async (error) => {
    const { ask, asked } = start();
    for (let i = 0; i < 3; i++) await expect(ask(error)).rejects.toBe(error);
    const fast = await ask().catch((reason: unknown) => reason);
    expect(fast).toBeInstanceOf(error.constructor);
    expect(fast).toMatchObject({ message: "not requested: the last 3 requests failed", cause: error });
    const { status, retryAfterMs } = error as UpstreamRefused;
    expect(fast).toMatchObject(status === undefined ? {} : { status, retryAfterMs });
    expect(asked()).toBe(3);
  });

  it("lets one question try after a while, and opens or closes by what it finds", async () => {
    const { ask, asked, pass, breaker } = start();
    const error = new UpstreamTimeout("schedule", "late");
    for (let i = 0; i < 3; i++) await expect(ask(error)).rejects.toBe(error);
    pass(100);
    let finish: ((answer: string) => void) | undefined;
    const probe = breaker.execute(() => new Promise<string>((resolve) => (finish = resolve)));
    await expect(ask()).rejects.toThrow("not requested");
    finish?.("it works");
    expect(await probe).toBe("it works");
    expect(await ask()).toBe("answer");
    expect(asked()).toBe(4);
    for (let i = 0; i < 3; i++) await expect(ask(error)).rejects.toBe(error);
    pass(100);
    await expect(ask(error)).rejects.toBe(error);
    await expect(ask()).rejects.toThrow("the last 4 requests failed");
  });

  it("does not count what says nothing about the upstream: success between, an asker who left, a fault of our own", async () => {
    const { ask } = start();
    const error = new UpstreamTimeout("schedule", "late");
    await expect(ask(error)).rejects.toBe(error);
    await expect(ask(error)).rejects.toBe(error);
    expect(await ask()).toBe("answer");
    for (let i = 0; i < 5; i++) await expect(ask(error, () => true)).rejects.toBe(error);
    for (let i = 0; i < 5; i++) await expect(ask(new TypeError("ours"))).rejects.toThrow("ours");
    expect(await ask()).toBe("answer");
  });
});
