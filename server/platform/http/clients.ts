/** Identifies the caller of a request, whose share rate limits and queues count. */
import type { FastifyInstance } from 'fastify';
import { runForCaller } from '../concurrency/fair-order.ts';
import { clientAddress, getIpAddressKey, requestCaller } from '../connections/address.ts';
import { errors } from '../errors/catalogue.ts';
import { createConcurrencyGate } from '../errors/gate.ts';
import type { TrustProxy } from '../process/settings.ts';

/** Sets the caller for the rest of each request, so that queues count the request's jobs under that caller. */
export function setRequestCallers(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) =>
    runForCaller(requestCaller(request.viewer, request), done),
  );
}

/**
 * Limits concurrent requests per client IP address behind a trusted proxy, because all clients then share the proxy's
 * connections. Without a proxy, `platform/connections/server.ts` counts connections instead.
 */
export function limitClientRequests(app: FastifyInstance, { trustProxy }: { trustProxy: TrustProxy }): void {
  if (trustProxy === false || trustProxy === 0) return;
  const gate = createConcurrencyGate({
    max: Number.POSITIVE_INFINITY,
    maxPerCaller: app.shared.connections.maxPerAddress,
    crowdedAt: app.shared.connections.crowdedAt,
    refuse: () =>
      errors.tooManyRequests({
        message: 'Too many requests at the same time. Wait for earlier ones to finish.',
        retryAfter: 5,
      }),
  });
  app.addHook('onRequest', (request, reply, done) => {
    try {
      reply.raw.once('close', gate.acquire(getIpAddressKey(clientAddress(request))));
    } catch (error) {
      return done(error as Error);
    }
    done();
  });
}
