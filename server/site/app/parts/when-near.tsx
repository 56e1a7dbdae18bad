/** Renders heavy content far below, such as a chart with its library, when the reader is about to see it. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** How far below the window. */
const MARGIN = "400px";

export function WhenNear({ children }: { children: () => ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setIsNear(true),
      { rootMargin: MARGIN },
    );
    observer.observe(place.current as HTMLDivElement);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} class={isNear ? undefined : "later"}>
      {isNear && children()}
    </div>
  );
}
