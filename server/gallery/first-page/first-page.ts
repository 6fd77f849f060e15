/** `/`: says what listens here, and leads to the documentation. */

import { readFile } from 'node:fs/promises';
import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { baseUrlOf } from '../../platform/http/base-url.ts';
import { type Html, html } from '../../platform/http/html.ts';

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const parts: Record<string, string> = {
  'first-page.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

export async function firstPageRoutes(app: App, { config }: Deps): Promise<void> {
  app.get('/', { schema: { hide: true } }, (request, reply) => {
    // The commands name the address that the page was asked for at.
    reply.headers({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache', Vary: 'Host' });
    return reply.type('text/html; charset=utf-8').send(firstPage(baseUrlOf(request, config)).text);
  });

  for (const [name, type] of Object.entries(parts)) {
    const bytes = await readFile(new URL(name, import.meta.url));
    app.get(`/${name}`, { schema: { hide: true } }, (_request, reply) =>
      reply.type(type).header('Cache-Control', 'max-age=3600').send(bytes),
    );
  }
}

function firstPage(url: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f7f5f2" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#161514" media="(prefers-color-scheme: dark)">
<meta name="description" content="An image gallery service with a JSON REST API.">
<title>Lightwell</title>
<link rel="icon" type="image/svg+xml" href="icon.svg">
<link rel="stylesheet" href="first-page.css">
</head>
<body>
<main>
<img src="icon.svg" alt="" width="72" height="72">
<h1>Lightwell is running</h1>
<p class="lead">This is an image gallery service: accounts, photos, albums, comments, likes and share links behind a
JSON API, for sites and apps to build on.</p>
<nav>
<a class="button" href="docs">Read and try the API</a>
<a href="openapi.json">The contract, OpenAPI 3.1</a>
</nav>
<h2>Try it from a terminal</h2>
<p>Make an account; the answer holds a token.</p>
<pre tabindex="0"><code>curl ${url}/api/auth/register \\
  -H 'Content-Type: application/json' -d '{"username": "ansel",
  "email": "ansel@example.org", "password": "half dome 1927"}'</code></pre>
<p>Upload a photo with it, then read the list that everybody sees.</p>
<pre tabindex="0"><code>curl ${url}/api/photos/upload \\
  -H 'Authorization: Bearer TOKEN' -F file=@photo.jpg -F title=Sunset
curl ${url}/api/photos</code></pre>
<h2>If this gallery is yours</h2>
<p>Registering first makes no admin; this does:</p>
<pre tabindex="0"><code>npm run lightwell -- user create NAME EMAIL --admin</code></pre>
<p>The README leads to settings, backups and larger installations.</p>
</main>
</body>
</html>
`;
}
