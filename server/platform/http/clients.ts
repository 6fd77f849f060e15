/** The caller of a request, to whom limits and queues give a share. */
import type { FastifyInstance } from 'fastify';
import { runFor } from '../concurrency/fair-order.ts';
import { addressKey, addressOf, callerOf } from '../connections/address.ts';
import { errors } from '../errors/catalogue.ts';
import { createGate } from '../errors/gate.ts';
import type { TrustProxy } from '../process/settings.ts';

/** What these requests wait for in queues, they wait for by their caller. */
export function nameCallers(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => runFor(callerOf(request.viewer, request), done));
}

/**
 * Behind a proxy, connections do not tell clients apart: one of them may have so many requests under way. Without one
 * the connections are counted (platform/connections/server.ts), and this would only cost time.
 */
export function limitClients(app: FastifyInstance, { trustProxy }: { trustProxy: TrustProxy }): void {
  if (trustProxy === false || trustProxy === 0) return;
  const gate = createGate({
    max: Number.POSITIVE_INFINITY,
    maxPerCaller: app.shared.connections.maxPerAddress,
    refuse: () => errors.tooManyRequests({ message: 'Too many requests at once', retryAfter: 5 }),
  });
  app.addHook('onRequest', (request, reply, done) => {
    try {
      reply.raw.once('close', gate.enter(addressKey(addressOf(request))));
    } catch (error) {
      return done(error as Error);
    }
    done();
  });
}
