/** A connection that fails: the message has host and reason, and what does not pass is not tried again. */
import { once } from "node:events";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { afterEach, expect, it } from "vitest";
import { UpstreamRefused, UpstreamUnreachable } from "../../../pipeline/errors.ts";
import { createClient } from "../../../pipeline/sources/client/http.ts";
import { BUCKET_OPTIONS, openBucket } from "../../../pipeline/store/bucket.ts";
import { UNSIGNED } from "../../../pipeline/store/signed-fetch.ts";

/** A second try would come after the test's end. */
const LATER_MS = 3_600_000;
const patient = {
  concurrency: 1,
  pauseMs: 0,
  timeoutMs: 5_000,
  retries: 5,
  backoffMs: LATER_MS,
  backoffCapMs: LATER_MS,
};

const ask = (address: string, retries = patient.retries) =>
  createClient("schedule", { ...patient, retries })
    .request({ url: new URL(address) }, ({ body }) => body.toString())
    .catch((error: unknown) => error);

const servers: { close(): unknown }[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** Its own certificate, which nobody signed. Test only: it secures nothing. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjAnHjPo9ACtvUQm0
1DFhG46BEZVmo9thUXodr6GbkrChRANCAAQXNNiPt4yZ78CY3RkxPUVNLLCqAyGJ
H3SbJciweWA2Cx8/tBr0WhD1lOsyFpqjl7w1QZpncar/Fzmv0ZHqrQ6W
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIUDRKG2cvBxzktuzIvQuijzAtcUekwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNTE0MzIxMVoYDzIxMjYxMTAx
MTQzMjExWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQXNNiPt4yZ78CY3RkxPUVNLLCqAyGJH3SbJciweWA2Cx8/tBr0WhD1
lOsyFpqjl7w1QZpncar/Fzmv0ZHqrQ6Wo2QwYjAdBgNVHQ4EFgQUTM827AgpuBzQ
GLQWMNEMFQ6kNX0wHwYDVR0jBBgwFoAUTM827AgpuBzQGLQWMNEMFQ6kNX0wDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
IDW8fFu99CnlYkOjggUdmtyGAY8ibPkguEUv0ZQ3GvhwAiEAm/gRcldNXfXGyBv1
8cZJUPzpfwtXHRynTRDJiXGAyR4=
-----END CERTIFICATE-----`;

it("a host that there is not is named at once, without the secrets of the address", async () => {
  const error = await ask("http://reader:secret@reg.campus.invalid/websoc?token=secret");
  expect(error).toBeInstanceOf(UpstreamUnreachable);
  expect((error as Error).message).toBe("the host reg.campus.invalid is unknown");
});

it("a certificate that is not trusted is named at once", async () => {
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (_, response) => response.end("never"));
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const error = await ask(`https://127.0.0.1:${port}/`);
  expect(error).toBeInstanceOf(UpstreamUnreachable);
  expect((error as Error).message).toBe(
    `the certificate of 127.0.0.1:${port} is not valid (DEPTH_ZERO_SELF_SIGNED_CERT)`,
  );
});

it("a refused and a broken connection may pass: they are retried, and named", async () => {
  const refused = await ask("http://127.0.0.1:1/", 0);
  expect(refused).toBeInstanceOf(UpstreamRefused);
  expect(refused).not.toBeInstanceOf(UpstreamUnreachable);
  expect((refused as Error).message).toBe("127.0.0.1:1 refused the connection");
  let connections = 0;
  const server = createSocketServer((socket) => {
    connections++;
    socket.destroy();
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const broken = await createClient("schedule", { ...patient, retries: 2, backoffMs: 1, backoffCapMs: 1 })
    .request({ url: new URL(`http://127.0.0.1:${port}/`) }, () => undefined)
    .catch((error: unknown) => error);
  expect((broken as Error).message).toBe(`127.0.0.1:${port} broke the connection`);
  expect(connections).toBe(3);
});

it("a bucket's mistyped host as well", async () => {
  const endpoint = new URL("http://storage.campus.invalid:9000");
  const store = openBucket("lake", "", { ...UNSIGNED, endpoint }, { ...BUCKET_OPTIONS, backoffMs: LATER_MS });
  const unknown = "the host storage.campus.invalid is unknown";
  await expect(store.list("")).rejects.toThrow(unknown);
  await expect(store.read("current.json")).rejects.toThrow(unknown);
});
