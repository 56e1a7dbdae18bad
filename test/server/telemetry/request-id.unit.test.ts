/** A sane id of the client's is kept, so that its log and ours can be joined; anything else could be an attack on whoever reads logs. */
import { expect, it } from "vitest";
import { requestIdFor } from "../../../server/telemetry/observation.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it.each(["a", "7f3b-1.2_Z", "x".repeat(64)])("%s is kept", (sent) => {
  expect(requestIdFor(sent)).toBe(sent);
});

it.each(["", "x".repeat(65), "a b", "a\nb", "<b>", "ä", 'a"', undefined, null, ["a", "b"]])("%o is not", (sent) => {
  const [one, other] = [requestIdFor(sent), requestIdFor(sent)];
  expect(one).toMatch(UUID);
  expect(other).not.toBe(one);
});
