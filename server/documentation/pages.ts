/** `/openapi.json` describes the endpoints. */
import type { Endpoint } from "../endpoint.ts";
import { JSON_TYPE } from "../headers.ts";
import { type Pages, sendPage } from "../page.ts";
import { toOpenApi } from "./openapi.ts";

export function createDocumentation(endpoints: readonly Endpoint[]): Pages {
  const documentation = JSON.stringify(toOpenApi(endpoints));
  return { "/openapi.json": ({ requestId }) => sendPage(requestId, 200, JSON_TYPE, documentation) };
}
