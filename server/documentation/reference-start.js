/* Starts the reference; a file of its own, because the page allows no script within itself. */
const root = document.getElementById("reference");

window.SwaggerUIBundle({
  domNode: root,
  url: root.dataset.openapi,
  deepLinking: true,
  displayOperationId: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
  filter: true,
  // Nobody else is asked whether the document is valid.
  validatorUrl: null,
});
