/**
 * Finds the ends of the responses on a keep-alive connection. Bodies are counted, not stored, so that the load costs
 * little.
 */

export interface ReadResponse {
  readonly status: number;
  /** The size of the body as it was sent, without chunk framing. */
  readonly bytes: number;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const NO_BODY = new Set([204, 304]);

/** Feed it every chunk of one connection; `onResponse` is called at the end of each response. */
export function createResponseReader(onResponse: (response: ReadResponse) => void): (received: Buffer) => void {
  let status = 0;
  let bytes = 0;
  /** Body bytes that are still to come: of the whole body, or of the chunk at hand. */
  let due = 0;
  let state: "head" | "body" | "chunk-size" | "chunk" | "trailer" = "head";
  let held: Buffer | undefined;

  const end = () => {
    state = "head";
    onResponse({ status, bytes });
    bytes = 0;
  };

  function readHead(text: string): void {
    status = Number(text.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(text);
    if (NO_BODY.has(status) || length?.[1] === "0") return end();
    due = Number(length?.[1] ?? 0);
    if (length) state = "body";
    else if (/\r\ntransfer-encoding: *chunked/i.test(text)) state = "chunk-size";
    else throw new Error("a response without a length");
  }

  return (received) => {
    let data = held ? Buffer.concat([held, received]) : received;
    held = undefined;
    while (data.length > 0) {
      if (state === "body" || state === "chunk") {
        const taken = Math.min(due, data.length);
        due -= taken;
        // A chunk's last two bytes are its line end.
        bytes += taken;
        data = data.subarray(taken);
        if (due > 0) continue;
        if (state === "body") end();
        else {
          bytes -= 2;
          state = "chunk-size";
        }
        continue;
      }
      const mark = state === "head" ? data.indexOf(HEAD_END) : data.indexOf("\r\n");
      if (mark < 0) {
        held = data;
        return;
      }
      const text = data.toString("latin1", 0, mark);
      data = data.subarray(mark + (state === "head" ? 4 : 2));
      if (state === "head") readHead(text);
      else if (state === "trailer") {
        if (text === "") end();
      } else {
        const size = Number.parseInt(text, 16);
        due = size + 2;
        state = size === 0 ? "trailer" : "chunk";
      }
    }
  };
}
