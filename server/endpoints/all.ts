/** All endpoints with their shared parameters; the source of routes and documentation. */
import { asOfParam } from "../response/as-of.ts";
import type { Endpoint } from "../response/endpoint.ts";
import { explainParam } from "../response/explain/explain.ts";
import { fieldsParam } from "../response/fields/names.ts";
import { formatParam } from "../response/representations/all.ts";
import { pageParams } from "../response/paging.ts";
import * as registry from "./registry.ts";

const withSharedParams = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  params: {
    ...endpoint.params,
    ...pageParams(endpoint),
    fields: fieldsParam(endpoint.returns.schema),
    format: formatParam(endpoint),
    asOf: asOfParam,
    explain: explainParam,
  },
});

export const endpoints: readonly Endpoint[] = Object.values(registry)
  .flat()
  .sort((first, second) => (first.path < second.path ? -1 : 1))
  .map(withSharedParams);
