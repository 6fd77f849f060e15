/**
 * Serves `/` and the page for unknown paths if the web gallery is not built. The page at `/` explains the API and links
 * to the documentation.
 */

import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { getBaseUrl } from '../../platform/http/base-url.ts';
import { handlePageError } from '../../platform/http/error-page.ts';
import { type Html, html } from '../../platform/http/html.ts';
import type { SendNotFoundPage } from '../../platform/http/not-found.ts';
import { joinPageStyles, renderPage } from '../../platform/http/page.ts';

const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function unbuiltPageRoutes(app: App, { config }: Deps): SendNotFoundPage {
  const open = { config: { openToVisitors: true }, schema: { hide: true } };
  app.get('/', { ...open, errorHandler: handlePageError }, (request, reply) => {
    // The example commands on the page contain the host of the request.
    reply.headers({
      'Content-Security-Policy': contentSecurityPolicy,
      'Cache-Control': 'no-cache',
      Vary: 'Host',
    });
    return reply.type('text/html; charset=utf-8').send(firstPage(getBaseUrl(request, config)).text);
  });

  const style = joinPageStyles(new URL('unbuilt.css', import.meta.url));
  app.get('/unbuilt.css', open, (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('Cache-Control', 'max-age=3600').send(style),
  );

  return async (_request, reply) => {
    reply.headers({ 'Content-Security-Policy': contentSecurityPolicy, 'Cache-Control': 'no-cache' });
    return reply.code(404).type('text/html; charset=utf-8').send(notFoundPage.text);
  };
}

const notFoundPage = renderPage({
  title: 'Page not found · Lightwell',
  head: html`<link rel="icon" type="image/svg+xml" href="/icon.svg">
<link rel="stylesheet" href="/unbuilt.css">`,
  body: html`<main>
<img src="/icon.svg" alt="" width="72" height="72">
<h1>Page not found</h1>
<p class="lead">This page doesn’t exist, or you don’t have access.</p>
<nav><a class="button" href="/">Go to the start page</a></nav>
</main>`,
});

function firstPage(url: string): Html {
  const head = html`<meta name="description" content="An image gallery service with a JSON REST API.">
<link rel="icon" type="image/svg+xml" href="icon.svg">
<link rel="stylesheet" href="unbuilt.css">`;
  const body = html`<main>
<img src="icon.svg" alt="" width="72" height="72">
<h1>Lightwell is running</h1>
<p class="lead">Lightwell is an image gallery service. Its JSON API offers accounts, photos, albums, comments, likes and
shared links to websites and apps.</p>
<nav>
<a class="button" href="docs">Read and try the API</a>
<a href="openapi.json">OpenAPI 3.1 document</a>
</nav>
<h2>Try it from a terminal</h2>
<p>Create an account. The response contains a token.</p>
<pre tabindex="0"><code>curl ${url}/api/auth/register \\
  -H 'Content-Type: application/json' -d '{"username": "ansel",
  "email": "ansel@example.org", "password": "half dome 1927"}'</code></pre>
<p>Upload a photo with the token, then list the public photos.</p>
<pre tabindex="0"><code>curl ${url}/api/photos/upload \\
  -H 'Authorization: Bearer TOKEN' -F file=@photo.jpg -F title=Sunset
curl ${url}/api/photos</code></pre>
<h2>If you run this gallery</h2>
<p>Create an admin account with this command:</p>
<pre tabindex="0"><code>npm run lightwell -- user create NAME EMAIL --admin</code></pre>
<p>The README describes settings, backups and larger installations.</p>
</main>`;
  return renderPage({ title: 'Lightwell', head, body });
}
