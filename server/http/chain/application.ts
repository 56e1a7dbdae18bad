/** The last middleware: passes the request to h3 and sends the response. */
import type { H3, H3EventContext } from "h3";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import type { Observation } from "../../telemetry/observation.ts";
import { omitConnection } from "../response-cache.ts";
import type { Exchange, Middleware } from "./middleware.ts";

export function application(app: H3, observation: Observation): Middleware {
  async function dispatch({ request, response, context }: Exchange): Promise<void> {
    const incoming = new NodeRequest({ req: request, res: response });
    const answer = await app.request(incoming, undefined, context as object as H3EventContext);
    if (answer.status === 304) omitConnection(response);
    // An event stream has already sent its own headers and stays open.
    if (response.headersSent) observation.release(response);
    else await sendNodeResponse(response, answer);
  }
  return (exchange) => {
    dispatch(exchange).catch(() => exchange.response.destroy());
  };
}
