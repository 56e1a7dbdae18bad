/** Every endpoint in every format with each boolean parameter true and false, from the declarations: the widest requests that there are. */
import { endpoints } from "../../server/endpoints/all.ts";
import type { Endpoint } from "../../server/response/endpoint.ts";
import { formatsOf } from "../../server/response/formats/format.ts";

/** Without which an endpoint refuses everything, and nothing that narrows. @param year, quarter of the largest term */
const needed = (year: string, quarter: string): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  "/schedule": { year, quarter, cacheOnly: "true" },
  "/larc": { year, quarter },
  "/search": { q: "comp" },
});

const isFlag = ([, { schema }]: [string, Endpoint["params"][string]]): boolean => schema.type === "boolean";

/** Paths below `/v1/rest`. @param ids of one element of each endpoint with an id */
export function everyRequest(term: { year: string; quarter: string }, ids: Readonly<Record<string, string>>): string[] {
  const own = needed(term.year, term.quarter);
  return endpoints.flatMap((endpoint) => {
    const path = endpoint.path.replace(":id", encodeURIComponent(ids[endpoint.path] ?? ""));
    const flags = Object.entries(endpoint.params)
      .filter(isFlag)
      .flatMap(([name]) => [{ [name]: "true" }, { [name]: "false" }]);
    return formatsOf(endpoint).flatMap((format) =>
      [{}, ...flags].map(
        (flag) => `${path}?${String(new URLSearchParams({ ...own[endpoint.path], ...flag, format }))}`,
      ),
    );
  });
}
