/** Starts the reference at `/docs`; a file of its own, because the page allows no script within itself. */
const root = document.querySelector<HTMLElement>("#reference");

/** Set by the script of the package before this one. */
declare const SwaggerUIBundle: (options: object) => void;

SwaggerUIBundle({
  domNode: root,
  url: root?.dataset["openapi"],
  deepLinking: true,
  displayOperationId: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
  filter: true,
  // Nobody else is asked whether the document is valid.
  validatorUrl: null,
});
