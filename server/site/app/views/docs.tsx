/** The interactive reference, in the colours that the reader prefers, without requests to other hosts. */
import { useEffect, useRef, useState } from "preact/hooks";
import { BASE, resourceAddress } from "../data/addresses.ts";
import { referenceLayout } from "../docs/reference-layout.ts";
import { Skeleton } from "../parts/loaded.tsx";
import { PageTitle } from "../parts/page-title.tsx";

const FOLDER = `${BASE}assets/${REFERENCE_FILES}`;
const DESCRIPTION = "/v1/openapi.json";

/** Defined by swagger-ui-bundle.js. */
declare const SwaggerUIBundle: (options: object) => void;

/** The end of loading of a script or style sheet. */
const loaded = (element: HTMLScriptElement | HTMLLinkElement): Promise<void> =>
  new Promise((resolve, reject) => {
    element.addEventListener("load", () => resolve());
    element.addEventListener("error", () => reject(new Error("The reference could not be loaded.")));
    document.head.append(element);
  });

async function showReference(root: HTMLElement): Promise<void> {
  const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `${FOLDER}/swagger-ui.css` });
  const script = Object.assign(document.createElement("script"), { src: `${FOLDER}/swagger-ui-bundle.js` });
  const read = fetch(resourceAddress(DESCRIPTION)).then((response) => response.json() as Promise<object>);
  const [description] = await Promise.all([read, loaded(style), loaded(script)]);
  // A proxy that is not trusted has another address than the server knows.
  const address = new URL(BASE, location.href).href.replace(/\/$/, "");
  SwaggerUIBundle({
    domNode: root,
    spec: { ...description, servers: [{ url: address }] },
    deepLinking: true,
    displayOperationId: true,
    defaultModelsExpandDepth: 0,
    // On a phone, the list of all operations is too long to scroll past.
    docExpansion: matchMedia("(max-width: 700px)").matches ? "none" : "list",
    filter: true,
    // No request to an external validator.
    validatorUrl: null,
    plugins: [referenceLayout],
  });
}

/** The reference's own class for its dark colours. */
function useDarkMode(): void {
  useEffect(() => {
    const prefersDark = matchMedia("(prefers-color-scheme: dark)");
    const apply = () => document.documentElement.classList.toggle("dark-mode", prefersDark.matches);
    apply();
    prefersDark.addEventListener("change", apply);
    return () => {
      prefersDark.removeEventListener("change", apply);
      document.documentElement.classList.remove("dark-mode");
    };
  }, []);
}

export function DocsView() {
  const root = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string>();
  const [isLoading, setIsLoading] = useState(true);
  useDarkMode();
  useEffect(() => {
    if (!root.current) return;
    showReference(root.current)
      .catch((error: unknown) => setProblem(String(error)))
      .finally(() => setIsLoading(false));
  }, []);
  return (
    <>
      <PageTitle title="Reference">Reference</PageTitle>
      <p class="lead">
        Try every endpoint, with its parameters and responses. For programs:{" "}
        <a href={resourceAddress(DESCRIPTION)}>OpenAPI description</a>.
      </p>
      {isLoading && <Skeleton lines={8} />}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div ref={root} class="reference" />
    </>
  );
}
