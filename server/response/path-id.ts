import type { H3Event } from "h3";
import { Problem } from "./problem.ts";

/** The percent-decoded last segment of the path (so that `%2F` works), "" without an `:id`. @throws Problem (400) */
export function readId(event: H3Event): string {
  if (event.context.params?.["id"] === undefined) return "";
  const last = event.url.pathname.replace(/\/$/, "").split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    throw new Problem(400, "The id in the path is not properly percent-encoded.");
  }
}
