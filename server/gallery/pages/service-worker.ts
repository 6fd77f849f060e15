/** Serves the service worker of the web gallery, and the page that it shows while the browser is offline. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { App } from '../../platform/http/app.ts';
import { Html, html } from '../../platform/http/html.ts';
import { type Language, languageOf, pageLanguages } from '../../platform/http/language.ts';
import { joinPageStyles, renderPage } from '../../platform/http/page.ts';
import { choiceField } from '../../platform/http/schema.ts';
import { Type } from '../../platform/schema/type.ts';

const serviceWorker = readFileSync(new URL('service-worker.js', import.meta.url));
const style = joinPageStyles(new URL('offline.css', import.meta.url));
const styleHash = createHash('sha256').update(style).digest('base64');
const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`;

const texts: Record<Language, { title: string; text: string; action: string }> = {
  en: {
    title: 'You’re offline',
    text: 'Your photos are safe on the server. Check your connection, then try again.',
    action: 'Try again',
  },
  'zh-CN': {
    title: '您已离线',
    text: '您的照片安全地保存在服务器上。请检查网络连接，然后重试。',
    action: '重试',
  },
};

const Query = Type.Object({ language: Type.Optional(choiceField(pageLanguages)) });

export function serviceWorkerRoutes(app: App): void {
  const config = { openToVisitors: true };
  const schema = { hide: true, querystring: Query };
  app.get('/service-worker.js', { config, schema }, (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .headers({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' })
      .send(serviceWorker),
  );
  app.get('/offline', { config, schema }, (request, reply) => {
    const { text } = renderOfflinePage(request.query.language ?? languageOf(request));
    return reply
      .type('text/html; charset=utf-8')
      .headers({ 'Content-Security-Policy': contentSecurityPolicy, 'Cache-Control': 'no-cache' })
      .send(text);
  });
  // Another app shares files while no service worker runs. The request ends before its body is read.
  app.post('/share-target', {
    config,
    schema: { hide: true },
    onRequest: (_request, reply) => void reply.redirect('/?shared', 303),
    handler: () => undefined,
  });
}

function renderOfflinePage(language: Language): Html {
  const { title, text, action } = texts[language];
  return renderPage({
    language,
    title,
    head: html`<style>${new Html(style)}</style>`,
    // The empty address is the page that was requested.
    body: html`<main><h1>${title}</h1><p>${text}</p><p><a class="button" href="">${action}</a></p></main>`,
  });
}
