/** Redirects and links stay on the host and port of their source. */
import { describe, expect, it } from "vitest";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { UpstreamRedirected } from "../../../pipeline/errors.ts";
import { isOwnHost } from "../../../pipeline/sources/client/own-host.ts";
import { linkFrom } from "../../../pipeline/sources/client/page-address.ts";
import { fetchExport, readRecordsIndex } from "../../../pipeline/sources/records.ts";
import { hastyClient } from "./hasty-client.ts";
import { openLocalServers } from "./local-server.ts";

const serve = openLocalServers();
const client = hastyClient("records");
const body = (response: { body: Buffer }) => response.body.toString();
const failureOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe("a redirect", () => {
  it("to another port, or to an address of the local network, is named and never followed", async () => {
    const other = await serve((_, response) => void response.end("a,b\n"));
    const targets = [other.url.href, "http://169.254.169.254/latest/", `//${other.url.host}/`, "file:///etc/hosts"];
    for (const target of targets) {
      const { url, paths } = await serve((_, response) => void response.writeHead(302, { Location: target }).end());
      const { host } = new URL(target, url);
      const failure = await failureOf(fetchExport(client, { name: "a.csv", url: new URL("a.csv", url) }));
      expect(failure).toBeInstanceOf(UpstreamRedirected);
      expect((failure as Error).message).toBe(`redirects to another host: ${host}`);
      // It would be the same again.
      expect(paths).toEqual(["/a.csv"]);
    }
    expect(other.paths).toEqual([]);
  });

  it("is checked at every hop", async () => {
    const other = await serve((_, response) => void response.end("secret"));
    const { url, paths } = await serve((request, response) => {
      const location = request.url === "/b" ? other.url.href : "/b";
      response.writeHead(307, { Location: location }).end();
    });
    expect(await failureOf(client.request({ url: new URL("a", url), follow: true }, body))).toBeInstanceOf(
      UpstreamRedirected,
    );
    expect([paths, other.paths]).toEqual([["/a", "/b"], []]);
  });

  it("on the same host is followed, a form only where the status keeps it, and not without end", async () => {
    const { url, paths } = await serve(({ url: path = "", method }, response) => {
      const status = Number(path.slice(1));
      if (status) response.writeHead(status, { Location: "/end" }).end();
      else if (path === "/end") response.end(method);
      else response.writeHead(302, { Location: `${path}x` }).end();
    });
    const form = new URLSearchParams({ q: "1" });
    const ask = (path: string) => client.request({ url: new URL(path, url), form, follow: true }, body);
    expect([await ask("303"), await ask("307"), await ask("308")]).toEqual(["GET", "POST", "POST"]);
    paths.length = 0;
    expect(await failureOf(ask("x"))).toBeInstanceOf(UpstreamRedirected);
    expect(paths).toHaveLength(6);
  });
});

describe("a link of a page", () => {
  it("to another port or with other credentials is dropped", async () => {
    const page = new URL("http://me:secret@catalogue.example.edu/allcourses/");
    const resolve = (href: string) => linkFrom(page, href, page)?.href;
    expect(resolve("art/")).toBe("http://me:secret@catalogue.example.edu/allcourses/art/");
    expect(resolve("http://catalogue.example.edu/x/")).toBe("http://catalogue.example.edu/x/");
    expect(resolve("http://catalogue.example.edu:8080/x/")).toBeUndefined();
    expect(resolve("http://you@catalogue.example.edu/x/")).toBeUndefined();
    expect(resolve("http://catalogue.example.edu@elsewhere.example.org/x/")).toBeUndefined();
  });

  it("to an export on another port or with credentials is noted and not fetched", async () => {
    const other = await serve((_, response) => void response.end("a,b\n"));
    const { url } = await serve((_, response) => {
      const withUser = new URL("c.csv", url);
      withUser.username = "you";
      response.end(`<a href="a.csv">1</a><a href="${other.url.href}b.csv">2</a><a href="${withUser.href}">3</a>`);
    });
    const tally = createTally("grades");
    expect((await readRecordsIndex(client, url, tally)).map(({ name }) => name)).toEqual(["a.csv"]);
    expect(tally.report("published", 0).noted).toMatchObject([{ count: 2 }]);
  });
});

describe("isOwnHost", () => {
  it.each([
    ["http://a.edu/x", "http://a.edu/", true],
    ["https://a.edu/x", "http://a.edu/", true],
    ["http://a.edu/x", "https://a.edu/", false],
    ["http://A.edu:80/x", "http://a.edu/", true],
    ["https://a.edu:8443/", "http://a.edu:8443/", false],
    ["https://a.edu/", "http://a.edu:8080/", false],
    ["http://a.edu:8080/", "http://a.edu/", false],
    ["http://www.a.edu/", "http://a.edu/", false],
    ["http://a.edu.example.org/", "http://a.edu/", false],
    ["http://you@a.edu/", "http://a.edu/", false],
    ["http://you:2@a.edu/", "http://you:1@a.edu/", false],
    ["ftp://a.edu/", "ftp://a.edu/", false],
    ["file:///etc/hosts", "file:///etc/", false],
  ])("%s for a request to %s: %s", (address, own, expected) => {
    expect(isOwnHost(new URL(address), new URL(own))).toBe(expected);
  });
});
