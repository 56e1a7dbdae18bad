/** Starts the reference at `/docs`; a separate file, because the content security policy allows no inline script. */
const root = document.querySelector<HTMLElement>("#reference");

/** Defined by swagger-ui-bundle.js. */
declare const SwaggerUIBundle: (options: object) => void;

SwaggerUIBundle({
  domNode: root,
  url: root?.dataset["openapi"],
  deepLinking: true,
  displayOperationId: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
  filter: true,
  // No request to an external validator.
  validatorUrl: null,
});
