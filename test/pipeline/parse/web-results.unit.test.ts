import { describe, expect, it } from "vitest";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { parseWebResults } from "../../../pipeline/parse/schedule/web-results.ts";

const page = (body: string) => `<!DOCTYPE html>\n<html><body>${body}</body></html>\n`;

describe("parseWebResults", () => {
  it("hears that too much matched", () => {
    expect(
      parseWebResults(page("<p>Your query matched more  than 900 sections. Please refine your search.</p>")),
    ).toEqual({
      kind: "tooMany",
    });
  });

  it.each(["No courses matched your search criteria for this term.", "Sorry, no classes were found."])(
    "hears that nothing matched: %s",
    (words) => {
      expect(parseWebResults(page(`<p>${words}</p>`))).toEqual({ kind: "none" });
    },
  );

  it("finds the section codes at the head of the rows", () => {
    const rows = `<tr><td>34160</td><td>Lec</td><td>12345 x</td></tr><tr valign="top"><td nowrap="nowrap">&nbsp;<b> 34161 </b></td></tr>`;
    expect(parseWebResults(page(`<table>${rows}</table>`))).toEqual({ kind: "sections", codes: ["34160", "34161"] });
  });

  it.each([
    ["an error page", page("<h1>Service Unavailable</h1><p>The connection to database is down.</p>")],
    ["a refusal", page("<p>You must specify at least one of the fields marked with a red asterisk.</p>")],
    ["XML", "<websoc_results><course_list/></websoc_results>"],
    ["a page that is cut off", "<html><body><p>No courses matched your search criteria"],
    ["nothing", ""],
  ])("does not take %s for an answer", (_, html) => {
    expect(() => parseWebResults(html)).toThrow(UpstreamBadResponse);
  });
});
