/** JSON that a store keeps for us, which others may have damaged. */
import type { z } from "zod";
import { UpstreamBadResponse } from "../errors.ts";
import type { StoreReader } from "./store.ts";

/** @param what names it, as in `version 3 of grades` @throws UpstreamBadResponse unless it is JSON of that shape */
export function parseStored<T>(schema: z.ZodType<T>, text: string, what: string, { name }: StoreReader): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new UpstreamBadResponse(name, `${name}: ${what} is damaged`, { cause });
  }
}
