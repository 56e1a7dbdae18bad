/** A request that is answered with 200 for every endpoint in the list, including future ones. */
import type { Endpoint } from "../../server/response/endpoint.ts";

const IDS: Readonly<Record<string, string>> = { "/courses/:id": "DANCE10", "/instructors/:id": "ramberley" };
const REQUIRED: Readonly<Record<string, string>> = { year: "2024", quarter: "Fall", q: "movement" };

/** Path and query below the base: required parameters get a value, an id is one of the test's rows. */
export function exampleOf({ path, params }: Endpoint): string {
  const query = new URLSearchParams();
  for (const [name, param] of Object.entries(params)) {
    if (!param.required) continue;
    const value = REQUIRED[name];
    if (value === undefined) throw new Error(`${path}: say what a valid ${name} is`);
    query.set(name, value);
  }
  if ("cacheOnly" in params) query.set("cacheOnly", "true");
  const place = path.includes(":id") ? path.replace(":id", IDS[path] ?? `no example of an id of ${path}`) : path;
  return query.size > 0 ? `${place}?${query}` : place;
}

/** The same request with an additional parameter. */
export const withParameter = (example: string, name: string, value: string): string =>
  `${example}${example.includes("?") ? "&" : "?"}${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
