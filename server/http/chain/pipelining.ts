/**
 * HTTP pipelining with one request in work for each connection. Node's parser hands over every request of the bytes that it has read, and if all were
 * answered at once, the responses would wait in memory for a client that does not read. So they wait for their turn, and meanwhile the socket is not read.
 */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

interface Waiting {
  /** Undefined for an error response on the bare socket. */
  readonly response: ServerResponse | undefined;
  readonly answer: () => void;
}

interface Connection {
  /** To the last request that had its turn. */
  response: ServerResponse | undefined;
  waiting: Waiting[];
  /** A time of `performance.now()`. */
  resumedAt: number;
}

export interface Pipelining {
  /** Calls `answer` when every earlier response of the connection is sent; not at all when the connection ends before. */
  inOrder(socket: Socket, response: ServerResponse, answer: () => void): void;
  /** As inOrder, for what cannot be parsed. In the body of a request it is the answer to that one, which would wait for the rest for ever. */
  endInOrder(socket: Socket, answer: () => void): void;
  /** Whether the socket was not read for some part of the last `ms` milliseconds. */
  wasPaused(socket: Socket, ms: number): boolean;
}

/** A connection is closed, and `onOverflow` called, when `maxWaiting` requests of all connections wait. */
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
        // Other connections go first.
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
    // The parser goes on with what it has read.
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

/** Node resumes a socket whenever its client has read something. */
function pauseAgain(this: Socket): void {
  this.pause();
}
