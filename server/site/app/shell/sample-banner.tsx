/** Says that the data is fictional; a click hides it for good. */
import { useContext, useState } from "preact/hooks";
import { readStored, store } from "../data/storage.ts";
import { SiteContext } from "../data/terms.ts";

const CLOSED = "sample-banner-closed";

export function SampleBanner() {
  const { snapshot } = useContext(SiteContext);
  const [isClosed, setIsClosed] = useState(() => readStored(CLOSED) !== undefined);
  if (!snapshot?.sample || isClosed) return null;
  const close = () => {
    store(CLOSED, "1");
    setIsClosed(true);
  };
  return (
    <aside class="banner" aria-label="Notice">
      <span>
        <strong>Sample campus.</strong> All people, courses and numbers are fictional.
      </span>
      <button type="button" class="close" aria-label="Dismiss" onClick={close}>
        ✕
      </button>
    </aside>
  );
}
