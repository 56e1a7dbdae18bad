/** A registry on loopback with one package, `tiny`, in two versions: what `npm ci` asks for and nothing else. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

export type Version = "1.0.0" | "2.0.0";
const VERSIONS: readonly Version[] = ["1.0.0", "2.0.0"];

function packed(version: Version, folder: string): Buffer {
  const source = join(folder, version);
  mkdirSync(join(source, "package"), { recursive: true });
  writeFileSync(join(source, "package/package.json"), JSON.stringify({ name: "tiny", version, main: "index.js" }));
  writeFileSync(join(source, "package/index.js"), `module.exports = "${version}";\n`);
  execFileSync("tar", ["-czf", join(source, "tiny.tgz"), "-C", source, "package"]);
  return readFileSync(join(source, "tiny.tgz"));
}

export async function openRegistry(folder: string) {
  const archives = Object.fromEntries(VERSIONS.map((version) => [version, packed(version, folder)])) as Record<
    Version,
    Buffer
  >;
  const integrity = (version: Version) => `sha512-${createHash("sha512").update(archives[version]).digest("base64")}`;
  let requests: string[] = [];
  let isSilent = false;
  let asked = () => undefined as void;
  const server = createServer(({ url = "" }, response) => {
    requests.push(url);
    asked();
    if (isSilent) return;
    const version = VERSIONS.find((known) => url.endsWith(`tiny-${known}.tgz`));
    if (version) return void response.end(archives[version]);
    const versions = VERSIONS.map((known) => {
      const tarball = `${base}/tiny/-/tiny-${known}.tgz`;
      return [known, { name: "tiny", version: known, dist: { tarball, integrity: integrity(known) } }];
    });
    response.end(JSON.stringify({ name: "tiny", versions: Object.fromEntries(versions) as unknown }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url: base,
    integrity,
    requests: () => requests,
    /** Forgets the requests so far; from now on it answers, or leaves who asks waiting. */
    begin(options: { silent?: boolean } = {}) {
      requests = [];
      isSilent = options.silent ?? false;
    },
    nextRequest: () => new Promise<void>((resolve) => (asked = resolve)),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
