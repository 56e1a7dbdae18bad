/**
 * Handles pipelined requests one at a time per connection. Node's parser hands over every request of the bytes that it
 * has read; if all were answered at once, the responses would wait in memory for a client that does not read. Requests
 * therefore queue, and the socket is paused while any request waits.
 */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

interface Waiting {
  /** Undefined for an error response on the bare socket. */
  readonly response: ServerResponse | undefined;
  readonly answer: () => void;
}

interface Connection {
  /** The response to the last request that was started. */
  response: ServerResponse | undefined;
  waiting: Waiting[];
  /** When the socket was last resumed, in milliseconds of `performance.now()`. */
  resumedAt: number;
}

export interface Pipelining {
  /** Calls `answer` once every earlier response of the connection is sent; never if the connection ends first. */
  inOrder(socket: Socket, response: ServerResponse, answer: () => void): void;
  /**
   * Answers data that cannot be parsed, in order. If it breaks the body of a request, the answer replaces that
   * request's response, which would otherwise wait for the rest of the body forever.
   */
  endInOrder(socket: Socket, answer: () => void): void;
  /** True if the socket was paused at any time in the last `ms` milliseconds. */
  wasPaused(socket: Socket, ms: number): boolean;
}

/** Closes the connection and calls `onOverflow` for any request beyond `maxWaiting` queued ones of all connections. */
export function createPipelining(maxWaiting: number, onOverflow: () => void): Pipelining {
  const connections = new WeakMap<Socket, Connection>();
  let waiting = 0;

  function answerNext(socket: Socket, connection: Connection): void {
    while (connection.waiting.length > 0) {
      const { response } = connection;
      if (!socket.writable) {
        waiting -= connection.waiting.length;
        connection.waiting = [];
      } else if (response && !response.closed) {
        // Let other connections proceed first.
        return void response.once("close", () => setImmediate(answerNext, socket, connection));
      } else {
        const next = connection.waiting.shift() as Waiting;
        waiting--;
        connection.response = next.response ?? response;
        next.answer();
      }
    }
    socket.off("resume", pauseAgain);
    socket.resume();
    connection.resumedAt = performance.now();
  }

  function inOrder(socket: Socket, response: ServerResponse | undefined, answer: () => void): void {
    // After a destroy, the parser still emits requests that it has already read.
    if (socket.destroyed) return;
    let connection = connections.get(socket);
    if (!connection) connections.set(socket, (connection = { response: undefined, waiting: [], resumedAt: -Infinity }));
    const isFirst = connection.waiting.length === 0;
    if (isFirst && (!connection.response || connection.response.closed)) {
      connection.response = response;
      return answer();
    }
    if (waiting >= maxWaiting) {
      onOverflow();
      return void socket.destroy();
    }
    waiting++;
    connection.waiting.push({ response, answer });
    if (!isFirst) return;
    socket.pause();
    socket.on("resume", pauseAgain);
    answerNext(socket, connection);
  }

  function endInOrder(socket: Socket, answer: () => void): void {
    const connection = connections.get(socket);
    const last = connection?.waiting.at(-1)?.response ?? connection?.response;
    if (!connection || !last || last.req.complete) return inOrder(socket, undefined, answer);
    if (connection.waiting.length > 0) connection.waiting.splice(-1, 1, { response: undefined, answer });
    else if (!last.headersSent) answer();
    else socket.end();
  }

  return {
    inOrder,
    endInOrder,
    wasPaused(socket, ms) {
      const connection = connections.get(socket);
      return (
        connection !== undefined && (connection.waiting.length > 0 || connection.resumedAt > performance.now() - ms)
      );
    },
  };
}

/** Pauses the socket again: Node resumes it whenever its client has read something. */
function pauseAgain(this: Socket): void {
  this.pause();
}
