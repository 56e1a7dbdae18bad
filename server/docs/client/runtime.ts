/**
 * The fixed part of the typed client. `.setup/client.mjs` appends everything from the first `export` on to the types of
 * the document.
 */

/** Stands in for the type from the document. */
type Problem = { readonly message: string };

export interface ClientOptions {
  /** The URL of the service, such as `https://data.example.edu`; in a browser it defaults to the page's host. */
  readonly baseUrl?: string;
  /** Headers that are sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Receives the headers of a success: `X-Total-Count`, `Link`, `Warning`, `ETag`. */
  readonly onHeaders?: (headers: Headers) => void;
}

export interface EventOptions extends Pick<CallOptions, "signal"> {
  /** Resumes after the event with this id. */
  readonly lastEventId?: string;
  /** Receives the id of each event, from which a later call can resume. */
  readonly onId?: (id: string) => void;
  /** Milliseconds to wait before a broken connection is reopened. */
  readonly retryMs?: number;
}

/** The query parameters of an operation; a single value may be given without an array. */
export type Query<O extends { parameters: { query?: unknown } }> = {
  readonly [N in keyof Asked<O>]: OneOrMore<Asked<O>[N]> | (object extends Pick<Asked<O>, N> ? undefined : never);
};
type Asked<O extends { parameters: { query?: unknown } }> = NonNullable<O["parameters"]["query"]>;
type OneOrMore<V> = V extends readonly (infer One)[] ? One | readonly One[] : V;
/** The JSON response of an operation. */
export type Result<O extends { responses: { 200: { content: { "application/json": unknown } } } }> =
  O["responses"][200]["content"]["application/json"];

/** An error response, with the server's message. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly status: number;
  /** The body; undefined when it does not come from the service, but for example from a proxy. */
  readonly problem: Problem | undefined;

  constructor(status: number, problem: Problem | undefined) {
    super(problem?.message ?? `The service responded with status ${status}.`);
    this.status = status;
    this.problem = problem;
  }
}

interface Operation {
  /** The path with parameter names in braces; each is an argument in front of the query. */
  readonly path: string;
  readonly hasQuery?: boolean;
  readonly isStream?: boolean;
}

/** Creates the functions of a client, whose types are generated. */
export function connect(operations: Readonly<Record<string, Operation>>, options: ClientOptions): object {
  const { baseUrl = "", headers = {}, fetch: send = globalThis.fetch } = options;

  async function open(url: string, accept: string, more: object, signal: AbortSignal | undefined): Promise<Response> {
    const init = { headers: { Accept: accept, ...headers, ...more }, ...(signal ? { signal } : {}) };
    const response = await send(url, init);
    if (response.ok) return response;
    const problem = (await response.json().catch(() => undefined)) as Problem | undefined;
    throw new ServiceError(response.status, typeof problem?.message === "string" ? problem : undefined);
  }

  async function request(url: string, { signal, onHeaders }: CallOptions): Promise<unknown> {
    const response = await open(url, "application/json", {}, signal);
    onHeaders?.(response.headers);
    return response.json();
  }

  async function* events(url: string, { signal, lastEventId, onId, retryMs = 2000 }: EventOptions) {
    let last = lastEventId;
    for (;;) {
      try {
        const resume = last === undefined ? {} : { "Last-Event-ID": last };
        const { body } = await open(url, "text/event-stream", resume, signal);
        const reader = (body as NonNullable<typeof body>).getReader();
        const decoder = new TextDecoder();
        try {
          for (let text = ""; ;) {
            const { done, value } = await reader.read();
            if (done) break;
            const blocks = (text + decoder.decode(value, { stream: true })).split("\n\n");
            text = blocks.pop() ?? "";
            for (const block of blocks) {
              last = /^id: (.*)$/m.exec(block)?.[1] ?? last;
              if (last !== undefined) onId?.(last);
              const data = /^data: (.*)$/m.exec(block)?.[1];
              // Named events, such as `snapshot`, are not changes.
              if (data !== undefined && !/^event: /m.test(block)) yield JSON.parse(data) as unknown;
            }
          }
        } finally {
          await reader.cancel().catch(() => undefined);
        }
      } catch (error) {
        // Retrying does not fix an invalid request.
        if (signal?.aborted || (error instanceof ServiceError && error.status < 500 && error.status !== 429))
          throw error;
      }
      await new Promise((done) => setTimeout(done, retryMs));
    }
  }

  const toFunction =
    ({ path, hasQuery = false, isStream = false }: Operation) =>
    (...args: unknown[]) => {
      const rest = [...args];
      const filledPath = path.replace(/\{\w+\}/g, () => encodeURIComponent(String(rest.shift())));
      const search = new URLSearchParams();
      // String() joins arrays with commas.
      for (const [name, value] of Object.entries((hasQuery && rest.shift()) || {}) as [string, unknown][])
        if (value !== undefined) search.set(name, String(value));
      const text = search.toString();
      const url = `${baseUrl.replace(/\/$/, "")}${filledPath}${text && "?"}${text}`;
      const [call = {}] = rest as [CallOptions & EventOptions];
      return isStream ? events(url, call) : request(url, call);
    };
  return Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, toFunction(operation)]));
}
