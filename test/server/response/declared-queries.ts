/** The query of every endpoint with all of its parameters, and what is made of it. */
import { H3Event } from "h3";
import { endpoints } from "../../../server/endpoints/all.ts";
import { BASE } from "../../../server/response/endpoint.ts";
import { Problem } from "../../../server/response/problem.ts";
import { normalizedQuery, readRequest } from "../../../server/response/query.ts";
import type { Declared } from "../../support/outcomes.ts";

const VALUES = ["2024", "Fall", "34160-34170,05000", "true", "DANCE", "9:00am", "2026-11-20", "MWF", "I&C SCI", ">10"];

export const QUERIES: readonly Declared[] = endpoints.map((endpoint) => {
  const place = `${BASE}${endpoint.path.replace(":id", "x")}`;
  const read = (address: string) => readRequest(endpoint, new H3Event(new Request(`http://localhost${address}`)));
  const all = Object.keys(endpoint.params).map((name, i): [string, string] => [name, VALUES[i % VALUES.length] ?? ""]);
  const some = all.filter(([name, value]) => {
    try {
      return read(`${place}?${new URLSearchParams([[name, value]])}`);
    } catch {
      return false;
    }
  });
  return {
    name: endpoint.path,
    structure: "query",
    fixtures: { "all parameters": String(new URLSearchParams(all)), "sound ones": String(new URLSearchParams(some)) },
    refusals: [Problem],
    read(bytes) {
      const asked = read(`${place}?${bytes.toString("latin1").replaceAll("#", "%23")}`);
      const normal = asked.url({});
      const again = read(normal);
      const [one, other] = [asked, again].map(({ values }) =>
        normalizedQuery(endpoint.path, "", values as Readonly<Record<string, unknown>>, "", endpoint.params),
      );
      if (again.url({}) !== normal || one !== other) throw new Error(`${normal} is another request`);
    },
  };
});
