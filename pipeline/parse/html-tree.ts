/**
 * An HTML page as a tree, in time proportional to its size. What is too large is found by a tokenizer, which needs no memory; what is too deep, or becomes too
 * large by the rules of HTML's tree construction, while the tree grows.
 */
import { load, type CheerioAPI } from "cheerio";
import { Tokenizer } from "htmlparser2";
import { adapter, type Htmlparser2TreeAdapterMap } from "parse5-htmlparser2-tree-adapter";
import { LIMITS } from "../limits.ts";
import { createElementBounds } from "./element-bounds.ts";

type Parent = Htmlparser2TreeAdapterMap["parentNode"];
type Node = Htmlparser2TreeAdapterMap["childNode"];

/** @throws UpstreamBadResponse when the page is beyond a limit */
export function parseTree(system: string, html: string): CheerioAPI {
  countTokens(system, html);
  return load(html, { sourceCodeLocationInfo: true, treeAdapter: boundedAdapter(system) });
}

const ignore = (): void => undefined;

/** How many are open is not counted here: HTML closes many elements by itself. */
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

/** The adapter looks for children from the first one on; those that HTML's rules move are the last ones. */
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
    createElement(...given) {
      bounds.element();
      return adapter.createElement(...given);
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
