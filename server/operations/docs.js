// @ts-nocheck — runs in the browser
// Starts Swagger UI in the browser. Addresses are relative, so that it also works behind a path prefix.
window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#documentation',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
