/** A comment of the schedule: its HTML as text, with its links and nothing else of it. */
import type { ComponentChildren } from "preact";

/** Their content is not text. */
const UNREAD = ["SCRIPT", "STYLE"];
export const isWeb = (address: string): boolean => /^https?:\/\//.test(address);

function partsOf(node: Node): ComponentChildren[] {
  return [...node.childNodes].map((child) => {
    if (!(child instanceof Element)) return child.textContent;
    if (UNREAD.includes(child.tagName)) return null;
    const address = child.getAttribute("href") ?? "";
    if (child.tagName === "A" && isWeb(address)) return <a href={address}>{child.textContent}</a>;
    return [" ", partsOf(child), " "];
  });
}

const parse = (html: string): HTMLElement => new DOMParser().parseFromString(html, "text/html").body;

export const hasText = (html: string): boolean => html !== "" && parse(html).textContent.trim() !== "";
export const Comment = ({ html }: { html: string }) => <>{partsOf(parse(html))}</>;
