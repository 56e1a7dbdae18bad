/** AWS Signature Version 4 for S3, in the Authorization header: made, and checked. */
import { createHash, createHmac } from "node:crypto";
import { S3Error, type StoreRequest } from "./exchange.ts";

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly region: string;
}

type Signable = Omit<StoreRequest, "body">;

/** The difference that AWS tolerates between its clock and the client's. */
const CLOCK_SKEW_MS = 15 * 60_000;

export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** Percent-encodes all but the unreserved characters of RFC 3986. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

export function signatureOf(request: Signable, names: readonly string[], { secretAccessKey, region }: Credentials) {
  const { method, path, search, headers } = request;
  const parameters = [...new URLSearchParams(search)].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const canonical = [
    method,
    // The path as it was sent, as S3 does.
    path,
    parameters.join("&"),
    ...names.map((name) => `${name}:${(headers[name] ?? "").trim().replace(/ +/g, " ")}`),
    "",
    names.join(";"),
    headers["x-amz-content-sha256"],
  ].join("\n");
  const time = headers["x-amz-date"] ?? "";
  const scope = [time.slice(0, 8), region, "s3", "aws4_request"];
  const key = scope.reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${secretAccessKey}`);
  return hmac(key, ["AWS4-HMAC-SHA256", time, scope.join("/"), sha256(canonical)].join("\n")).toString("hex");
}

/** The headers of a signed request: those of `request`, which has the host's, and the signature's. */
export function signedHeaders(request: StoreRequest, credentials: Credentials, now: Date): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const { accessKeyId, sessionToken, region } = credentials;
  const headers: Record<string, string> = {
    ...request.headers,
    "x-amz-date": time,
    "x-amz-content-sha256": sha256(request.body),
    ...(sessionToken === undefined ? {} : { "x-amz-security-token": sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const signature = signatureOf({ ...request, headers }, names, credentials);
  const scope = `${accessKeyId}/${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return { ...headers, authorization };
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/** @throws S3Error when the request is not signed by these credentials, or its body is not the signed one */
export function checkSignature(request: StoreRequest, credentials: Credentials, now: Date): void {
  const { headers, body } = request;
  const { authorization } = headers;
  if (authorization === undefined) throw new S3Error(403, "AccessDenied", "Access Denied");
  const [, accessKeyId, day = "", region, signed = "", signature] = AUTHORIZATION.exec(authorization) ?? [];
  const time = headers["x-amz-date"] ?? "";
  if (accessKeyId === undefined || region !== credentials.region || !time.startsWith(day))
    throw new S3Error(400, "AuthorizationHeaderMalformed", "The authorization header is malformed.");
  if (accessKeyId !== credentials.accessKeyId)
    throw new S3Error(403, "InvalidAccessKeyId", "The access key does not exist.");
  if (headers["x-amz-security-token"] !== credentials.sessionToken)
    throw new S3Error(400, "InvalidToken", "The provided token is malformed or otherwise invalid.");
  const sent = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
  if (!(Math.abs(now.getTime() - sent) <= CLOCK_SKEW_MS))
    throw new S3Error(403, "RequestTimeTooSkewed", "The time of the request differs too much from the store's.");
  const names = signed.split(";");
  const mustBeSigned = Object.keys(headers).filter((name) => name === "host" || name.startsWith("x-amz-"));
  if (mustBeSigned.some((name) => !names.includes(name)))
    throw new S3Error(403, "AccessDenied", "There were headers in the request which were not signed.");
  if (headers["x-amz-content-sha256"] === undefined)
    throw new S3Error(400, "InvalidRequest", "Missing required header for this request: x-amz-content-sha256");
  if (signature !== signatureOf(request, names, credentials))
    throw new S3Error(403, "SignatureDoesNotMatch", "The signature does not match the request.");
  if (headers["x-amz-content-sha256"] !== sha256(body))
    throw new S3Error(400, "XAmzContentSHA256Mismatch", "The x-amz-content-sha256 is not the body's.");
}
