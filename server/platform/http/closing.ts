/** A stop waits for requests, not for connections. */
import type { FastifyInstance } from 'fastify';

const intervalMs = 100;

/**
 * Node ends idle connections once, when the server begins to close. Those that finish a request afterwards become
 * idle too, and a browser holds them open for longer than a stop may take.
 */
export function endIdleConnectionsAtStop(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const timer = setInterval(() => app.server.closeIdleConnections(), intervalMs);
    app.server.once('close', () => clearInterval(timer));
    timer.unref();
  });
}
