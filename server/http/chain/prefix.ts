/** Strips BASE_PATH: requests are accepted with and without the path prefix of the installation. */
import type { Middleware } from "./middleware.ts";

/**
 * Strips the prefix: below `/academic/`, `/academic?x` becomes `/?x`.
 * @param base the prefix with a slash at both ends
 */
export function withoutPrefix(base: string): Middleware {
  const prefix = base.slice(0, -1);
  return (exchange, next) => {
    const { url = "/" } = exchange.request;
    const rest = url.startsWith(prefix) ? url.slice(prefix.length) : url;
    exchange.request.url = rest === "" || rest.startsWith("?") ? `/${rest}` : rest.startsWith("/") ? rest : url;
    next(exchange);
  };
}
