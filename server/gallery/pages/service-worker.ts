/** Serves the service worker of the web gallery, and the share target that the worker answers. */
import { readFileSync } from 'node:fs';
import type { App } from '../../platform/http/app.ts';

const serviceWorker = readFileSync(new URL('service-worker.js', import.meta.url));

export function serviceWorkerRoutes(app: App): void {
  const open = { config: { openToVisitors: true }, schema: { hide: true } };
  app.get('/service-worker.js', open, (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .headers({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' })
      .send(serviceWorker),
  );
  // Another app shares files before the worker runs. The request ends before its body is read.
  app.post('/share-target', {
    ...open,
    onRequest: (_request, reply) => void reply.redirect('/?shared', 303),
    handler: () => undefined,
  });
}
