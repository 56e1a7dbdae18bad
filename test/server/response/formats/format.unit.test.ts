import { describe, expect, it } from "vitest";
import { chooseFormat } from "../../../../server/response/formats/format.ts";

describe("the Accept header", () => {
  it.each([
    // Nothing in particular, and what browsers and clients send by themselves.
    ["", "json"],
    ["*/*", "json"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8", "json"],
    ["application/json, text/plain, */*", "json"],
    ["text/plain, */*; q=0.01", "json"],
    // Nothing that there is.
    ["text/html", "json"],
    ["application/pdf, image/*", "json"],
    ["text/csv;q=0", "json"],
    // By name.
    ["text/csv", "csv"],
    ["TEXT/CSV; header=present", "csv"],
    ["application/x-ndjson", "ndjson"],
    ["application/ndjson", "ndjson"],
    ["application/vnd.apache.parquet", "parquet"],
    ["application/json", "json"],
    // By weight.
    ["text/csv, application/json;q=0.9", "csv"],
    ["text/csv;q=0.5, application/json;q=0.9", "json"],
    ["text/csv;q=0.5, application/x-ndjson;q=0.8, application/json;q=0.1", "ndjson"],
    ["application/vnd.apache.parquet, text/csv;q=0.9", "parquet"],
    // Equally welcome: the one that is named, then JSON.
    ["text/csv, */*", "csv"],
    ["text/csv, application/json", "json"],
    ["application/json;q=0.5, */*;q=0.5", "json"],
    ["text/csv;q=0.2, */*;q=0.9", "json"],
    // Wildcards of a type.
    ["text/*", "csv"],
    ["application/*", "json"],
    ["text/*;q=0.5, */*;q=0.1", "csv"],
    // What is not readable counts nothing.
    ["text/csv;q=often", "json"],
    [",,;q=1", "json"],
  ])("%j gives %s", (accept, format) => {
    expect(chooseFormat(accept)).toBe(format);
  });
});
