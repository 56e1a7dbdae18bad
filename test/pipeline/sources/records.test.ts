import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { UpstreamBadResponse, UpstreamRefused } from "../../../pipeline/errors.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { createClient } from "../../../pipeline/sources/client/http.ts";
import { fetchExport, readRecordsIndex } from "../../../pipeline/sources/records.ts";
import { toWorkbook } from "../../support/upstream/workbook.ts";

const client = createClient("records", {
  concurrency: 2,
  pauseMs: 0,
  timeoutMs: 5000,
  retries: 1,
  backoffMs: 1,
  backoffCapMs: 1,
});
const tally = createTally("grades");

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
let server: Server;
let base: string;
let handler: Handler;
let folder: string;
let asked: IncomingMessage[];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request);
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), "records-"));
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  asked = [];
});

const page =
  (html: string): Handler =>
  (_, response) =>
    void response.setHeader("Content-Type", "text/html").end(html);

const shown = (links: { name: string; url: URL }[]) => links.map(({ name, url }) => [name, url.href]);

describe("the index page", () => {
  it("gives .csv and .xlsx links, relative and absolute, once each, in the page's order", async () => {
    handler = page(`<ul>
      <li><a href="UG_2016.xlsx">2016</a> <a href="/records/UG_2016.xlsx#top">again</a>
      <li><A HREF=" UG%20Grades%202015.CSV ">2015</A>
      <li><a href="/files/2014.csv?download=1">2014</a>
      <li><a href="request.pdf">how to</a> <a href="mailto:office@example.edu">mail</a> <a href="csv">no</a> <a>none</a>`);
    expect(shown(await readRecordsIndex(client, new URL(`${base}/records/`), tally))).toEqual([
      ["UG_2016.xlsx", `${base}/records/UG_2016.xlsx`],
      ["UG Grades 2015.CSV", `${base}/records/UG%20Grades%202015.CSV`],
      ["2014.csv", `${base}/files/2014.csv?download=1`],
    ]);
  });

  it("resolves links against the address it was redirected to, and against the page's base", async () => {
    handler = (request, response) => {
      if (request.url === "/records") response.writeHead(301, { Location: "/records/" }).end();
      else response.end('<a href="a.csv">a</a>');
    };
    expect(shown(await readRecordsIndex(client, new URL(`${base}/records`), tally))).toEqual([
      ["a.csv", `${base}/records/a.csv`],
    ]);
    handler = page('<base href="/other/"><a href="a.csv">a</a>');
    expect(shown(await readRecordsIndex(client, new URL(`${base}/records/`), tally))).toEqual([
      ["a.csv", `${base}/other/a.csv`],
    ]);
  });

  it("tells exports of one name apart, and takes no path out of a name", async () => {
    handler = page(
      '<a href="2015/a.csv">1</a><a href="2016/a.csv">2</a><a href="x/..%2f..%2fetc%2fb.csv">3</a><a href="%zz.csv">4</a>',
    );
    const links = await readRecordsIndex(client, new URL(`${base}/`), tally);
    expect(links.map(({ name }) => name)).toEqual(["a.csv", "2016 a.csv", "b.csv", "%zz.csv"]);
  });

  it("stays with its host: other hosts and local files are noted, not fetched", async () => {
    handler = page(
      '<a href="https://elsewhere.example.org/a.csv">1</a><a href="file:///etc/b.csv">2</a><a href="c.csv">3</a>',
    );
    const notes = createTally("grades");
    const links = await readRecordsIndex(client, new URL(`${base}/`), notes);
    expect(links.map(({ name }) => name)).toEqual(["c.csv"]);
    expect(notes.report("published", 0).noted).toEqual([
      {
        reason: "an export on another host, not fetched",
        count: 2,
        names: ["https://elsewhere.example.org/a.csv", "file:///etc/b.csv"],
      },
    ]);
  });

  it("is a bad answer when it offers nothing (pipeline/RULES.md, Runs: an upstream that suddenly offers nothing is a failure)", async () => {
    handler = page("<h1>Under maintenance</h1>");
    await expect(readRecordsIndex(client, new URL(`${base}/`), tally)).rejects.toThrow(UpstreamBadResponse);
    expect(asked).toHaveLength(2);
  });

  it("may be one export itself", async () => {
    expect(shown(await readRecordsIndex(client, new URL(`${base}/all.xlsx`), tally))).toEqual([
      ["all.xlsx", `${base}/all.xlsx`],
    ]);
    expect(asked).toEqual([]);
  });
});

describe("a local index", () => {
  it("is a folder of exports, by path or file: address", async () => {
    const exports = join(folder, "exports");
    await mkdir(exports);
    for (const name of ["UG 10.csv", "UG 2.xlsx", "README.csv", ".hidden.csv", "~$UG 2.xlsx", "notes.pdf"]) {
      await writeFile(join(exports, name), "x");
    }
    const notes = createTally("grades");
    for (const address of [exports, pathToFileURL(exports), pathToFileURL(`${exports}/`).href]) {
      const links = await readRecordsIndex(client, address, notes);
      expect(shown(links)).toEqual([
        ["UG 2.xlsx", pathToFileURL(join(exports, "UG 2.xlsx")).href],
        ["UG 10.csv", pathToFileURL(join(exports, "UG 10.csv")).href],
      ]);
      expect(await fetchExport(client, links[0] as { name: string; url: URL })).toMatchObject({ name: "UG 2.xlsx" });
    }
    expect(notes.report("published", 0).noted[0]?.names[0]).toBe("notes.pdf");
  });

  it("is a page whose links are local files", async () => {
    await writeFile(
      join(folder, "index.html"),
      '<a href="exports/UG%2010.csv">a</a><a href="http://example.org/b.csv">b</a>',
    );
    const links = await readRecordsIndex(client, join(folder, "index.html"), tally);
    expect(shown(links)).toEqual([["UG 10.csv", pathToFileURL(join(folder, "exports", "UG 10.csv")).href]]);
  });

  it("is a failure when it is empty or absent", async () => {
    await mkdir(join(folder, "empty"));
    await expect(readRecordsIndex(client, join(folder, "empty"), tally)).rejects.toThrow(UpstreamBadResponse);
    await expect(readRecordsIndex(client, join(folder, "absent"), tally)).rejects.toThrow(UpstreamRefused);
  });
});

const link = () => ({ name: "a.csv", url: new URL(`${base}/a.csv`) });

describe("an export", () => {
  const bytes = Buffer.from("year,quarter\n");

  it("comes with its hash and what the server says for the next time", async () => {
    handler = (_, response) => {
      response.setHeader("ETag", '"1"').setHeader("Last-Modified", "Fri, 01 Sep 2023 17:30:00 GMT").end(bytes);
    };
    expect(await fetchExport(client, link())).toEqual({
      name: "a.csv",
      bytes,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      etag: '"1"',
      lastModified: "Fri, 01 Sep 2023 17:30:00 GMT",
    });
    expect(asked[0]?.headers).not.toHaveProperty("if-none-match");
  });

  it("is unchanged when the server answers the condition with 304", async () => {
    handler = (_, response) => void response.writeHead(304).end();
    const known = { etag: '"1"', lastModified: "Fri, 01 Sep 2023 17:30:00 GMT" };
    expect(await fetchExport(client, link(), known)).toBe("unchanged");
    expect(asked[0]?.headers["if-none-match"]).toBe('"1"');
    expect(asked[0]?.headers["if-modified-since"]).toBe(known.lastModified);
    // Without a condition, a 304 is not a valid answer.
    await expect(fetchExport(client, link())).rejects.toThrow(UpstreamRefused);
  });

  it("shows by its hash that a server without conditions sent the same again", async () => {
    handler = (_, response) => void response.end(bytes);
    const [first, second] = [await fetchExport(client, link()), await fetchExport(client, link(), { etag: '"old"' })];
    if (first === "unchanged" || second === "unchanged") throw new Error("both are sent");
    expect(second.sha256).toBe(first.sha256);
    expect(second).not.toHaveProperty("etag");
  });

  const workbook = toWorkbook([{ name: "A", rows: [["x"]] }]);
  it.each<[string, Buffer]>([
    ["empty", Buffer.alloc(0)],
    ["a web page", Buffer.from("\n<!DOCTYPE html><title>Error</title>")],
    ["a text that ends in the middle of a row", Buffer.from("a,b,c\n1,2,3\n4,5")],
    ["a workbook without its end", workbook.subarray(0, workbook.length / 2)],
  ])("that is %s is requested once more, then a bad answer", async (_, wrong) => {
    handler = (_, response) => void response.end(asked.length === 1 ? wrong : workbook);
    expect(await fetchExport(client, link())).toMatchObject({ bytes: workbook });
    handler = (_, response) => void response.end(wrong);
    await expect(fetchExport(client, link())).rejects.toThrow(UpstreamBadResponse);
  });
});

describe("a text without a line break at its end", () => {
  it.each(["a,b\n1,2", "a;b\r\n1;2", "a,b\r1,2", 'a,b\n1,"2,3"'])(
    "is whole when it comes so twice: %j",
    async (text) => {
      handler = (_, response) => void response.end(text);
      expect(await fetchExport(client, link())).toMatchObject({ bytes: Buffer.from(text) });
      expect(asked).toHaveLength(2);
    },
  );

  it.each(["utf16le", "big end first"])("is whole in UTF-16 (%s), and not when it ends in a row", async (order) => {
    const wide = (text: string) => {
      const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
      return order === "utf16le" ? bytes : bytes.swap16();
    };
    handler = (_, response) => void response.end(wide("a;b\r\n1;2\r\n"));
    expect(await fetchExport(client, link())).toMatchObject({ bytes: wide("a;b\r\n1;2\r\n") });
    expect(asked).toHaveLength(1);
    handler = (_, response) => void response.end(wide("a;b\r\n1;2\r\n3"));
    await expect(fetchExport(client, link())).rejects.toThrow("the file is cut off in its last row");
  });

  it("was cut off when it is longer the second time", async () => {
    handler = (_, response) => void response.end(asked.length === 1 ? "a,b\n1,2\n3,4" : "a,b\n1,2\n3,45\n6,7\n");
    expect(await fetchExport(client, link())).toMatchObject({ bytes: Buffer.from("a,b\n1,2\n3,45\n6,7\n") });
  });
});
