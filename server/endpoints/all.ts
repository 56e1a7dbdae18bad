/** All endpoints with their shared parameters; the source of routes and documentation. */
import { offerAsOf } from "../response/as-of.ts";
import type { Endpoint } from "../response/endpoint.ts";
import { offerExplanation } from "../response/explain/explain.ts";
import { offerFields } from "../response/fields/names.ts";
import { offerFormats } from "../response/representations/all.ts";
import { offerPages } from "../response/paging.ts";
import * as registry from "./registry.ts";

export const endpoints: readonly Endpoint[] = Object.values(registry)
  .flat()
  .sort((first, second) => (first.path < second.path ? -1 : 1))
  .map((endpoint) => offerExplanation(offerAsOf(offerFormats(offerFields(offerPages(endpoint))))));
