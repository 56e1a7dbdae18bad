/** The id in a request's path. */
import type { H3Event } from "h3";
import { Problem } from "./problem.ts";

/** The last part of the path, percent-decoded once, so that `%2F` and `%26` work; "" where the route has no id. */
export function readId(event: H3Event): string {
  if (event.context.params?.["id"] === undefined) return "";
  const last = event.url.pathname.replace(/\/$/, "").split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    throw new Problem(400, "The id in the path is not properly percent-encoded.");
  }
}
