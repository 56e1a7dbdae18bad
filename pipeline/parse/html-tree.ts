/**
 * Parses an HTML page into a tree, in time proportional to its size. A tokenizer, which needs no memory, finds pages
 * that are too large; depth, and growth by the rules of HTML's tree construction, are checked while the tree grows.
 */
import { load, type CheerioAPI } from "cheerio";
import { Tokenizer } from "htmlparser2";
import { adapter, type Htmlparser2TreeAdapterMap } from "parse5-htmlparser2-tree-adapter";
import { LIMITS } from "../limits.ts";
import { createElementBounds } from "./element-bounds.ts";

type Parent = Htmlparser2TreeAdapterMap["parentNode"];
type Node = Htmlparser2TreeAdapterMap["childNode"];

/** Parses a page. @throws UpstreamBadResponse when the page is beyond a limit */
export function parseTree(system: string, html: string): CheerioAPI {
  countTokens(system, html);
  return load(html, { sourceCodeLocationInfo: true, treeAdapter: boundedAdapter(system) });
}

const ignore = (): void => undefined;

/** Does not count open elements, because HTML closes many elements implicitly. */
function countTokens(system: string, html: string): void {
  const bounds = createElementBounds(system, "page", LIMITS.html);
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname: bounds.element,
      onattribname: bounds.attribute,
      oncomment: bounds.element,
      onprocessinginstruction: bounds.element,
      onattribdata: ignore,
      onattribentity: ignore,
      onattribend: ignore,
      oncdata: ignore,
      onclosetag: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onopentagend: ignore,
      onselfclosingtag: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}

/** The default adapter searches children from the first on; those that HTML's rules move are the last ones. */
function boundedAdapter(system: string): typeof adapter {
  const bounds = createElementBounds(system, "page", LIMITS.html);
  const insertBefore = (parent: Parent, node: Node, next: Node): void => {
    const { prev } = next;
    if (prev) prev.next = node;
    node.prev = prev;
    node.next = next;
    next.prev = node;
    parent.children.splice(parent.children.lastIndexOf(next), 0, node);
    node.parent = parent;
  };
  return {
    ...adapter,
    createElement(...args) {
      bounds.element();
      return adapter.createElement(...args);
    },
    onItemPush: bounds.enter,
    onItemPop: bounds.leave,
    insertBefore,
    insertTextBefore(parent, text, next) {
      const { prev } = next;
      if (prev && adapter.isTextNode(prev)) prev.data += text;
      else insertBefore(parent, adapter.createTextNode(text), next);
    },
    detachNode(node) {
      const { parent, prev, next } = node;
      if (!parent) return;
      if (prev) prev.next = next;
      if (next) next.prev = prev;
      parent.children.splice(parent.children.lastIndexOf(node), 1);
      node.prev = node.next = node.parent = null;
    },
  };
}
