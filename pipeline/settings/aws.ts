/** The connection to a bucket: the standard variables of programs that use S3. */
import { z } from "zod";
import { onOff, webAddress } from "./values.ts";

const text = (form: string) => z.string().meta({ form });
const secret = (form: string) => z.string().meta({ form, secret: true });

export const AWS_SETTINGS = {
  AWS_ENDPOINT_URL: webAddress().describe("an S3 service other than Amazon's (also `AWS_ENDPOINT_URL_S3`)").optional(),
  AWS_ENDPOINT_URL_S3: webAddress().describe("takes precedence over `AWS_ENDPOINT_URL`").optional(),
  AWS_REGION: text("a region").describe("the bucket's region (also `AWS_DEFAULT_REGION`)").optional(),
  AWS_DEFAULT_REGION: text("a region").prefault("us-east-1").describe("where `AWS_REGION` is not set"),
  AWS_ACCESS_KEY_ID: secret("a key id").describe("without it requests are not signed: a public bucket").optional(),
  AWS_SECRET_ACCESS_KEY: secret("a secret").describe("belongs to the key id").optional(),
  AWS_SESSION_TOKEN: secret("a token").describe("of temporary credentials").optional(),
  AWS_S3_FORCE_PATH_STYLE: onOff()
    .describe("`1`: the bucket stands in the path, not in the host name; by default with an endpoint of one's own")
    .optional(),
};

export interface AwsSettings {
  readonly endpoint: URL | undefined;
  readonly region: string;
  /** Undefined: requests are not signed, as for a public bucket. */
  readonly credentials:
    | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string }
    | undefined;
  /** `https://host/bucket/key` instead of `https://bucket.host/key`; the default with a custom endpoint. */
  readonly pathStyle: boolean | undefined;
}

type Read = z.output<z.ZodObject<typeof AWS_SETTINGS>>;

export function readAws(read: Read): AwsSettings {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = read;
  return {
    endpoint: read.AWS_ENDPOINT_URL_S3 ?? read.AWS_ENDPOINT_URL,
    region: read.AWS_REGION ?? read.AWS_DEFAULT_REGION,
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey, ...(token === undefined ? {} : { sessionToken: token }) },
    pathStyle: read.AWS_S3_FORCE_PATH_STYLE,
  };
}
