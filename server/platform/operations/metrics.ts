/**
 * Route `/metrics` for Prometheus, which reports processes, requests by route, the imaging queue and webhooks, for all
 * workers together.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { shareRunningCall } from '../concurrency/shared-call.ts';
import type { App } from '../http/app.ts';
import type { Imaging } from '../imaging/imaging.ts';
import { createCollectMetrics } from '../process/messages.ts';

/** Bucket limits of request durations in seconds, from a cached thumbnail to a large upload. */
const durationBuckets = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

export type RegisterMetrics = (registry: Registry) => void;

export function registerRequestMetrics(
  app: App,
  { imaging }: { imaging: Imaging },
  others: RegisterMetrics[],
): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'lightwell_request_duration_seconds',
    help: 'Response time, by route and status class',
    labelNames: ['method', 'route', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  });
  addGauge(
    registry,
    'lightwell_imaging_running',
    'Images being processed',
    'sum',
    () => imaging.queue.running,
  );
  addGauge(
    registry,
    'lightwell_imaging_waiting',
    'Images waiting to be processed',
    'sum',
    () => imaging.queue.waiting,
  );
  for (const measure of others) measure(registry);
  // Concurrent requests share one collection, because it costs milliseconds and a message to every worker.
  const figures = shareRunningCall(createCollectMetrics(registry));
  const refusals = new Counter({
    name: 'lightwell_refused_requests_total',
    help: 'Responses that tell a client to wait or that the server cannot serve: 429, 500 and above',
    labelNames: ['status'],
    registers: [registry],
  });
  const series = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>();
  app.addHook('onResponse', (request, reply, done) => {
    // The label is the route's pattern, because paths would create one time series per photo.
    const route = request.routeOptions.url ?? 'unknown';
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    const key = `${request.method} ${status} ${route}`;
    let durationsOfRoute = series.get(key);
    if (!durationsOfRoute) {
      durationsOfRoute = durations.labels(request.method, route, status);
      series.set(key, durationsOfRoute);
    }
    durationsOfRoute.observe(reply.elapsedTime / 1000);
    if (reply.statusCode === 429 || reply.statusCode >= 500) refusals.inc({ status: reply.statusCode });
    done();
  });

  app.get(
    '/metrics',
    {
      config: { openToVisitors: true, produces: ['text/plain'] },
      schema: {
        operationId: 'getMetrics',
        tags: ['Operations'],
        summary: 'Get Prometheus metrics',
        description: 'Returns the metrics of all worker processes together, in the Prometheus text format.',
      },
    },
    async (_request, reply) => reply.type(registry.contentType).send(await figures()),
  );
}

/**
 * Adds a gauge to the registry. `all` says how the values of the workers are combined, e.g. `max` if each worker reads
 * the same rows.
 */
export function addGauge(
  registry: Registry,
  name: string,
  help: string,
  all: 'sum' | 'max' | 'min',
  read: () => number | Promise<number>,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    aggregator: all,
    async collect() {
      this.set(await read());
    },
  });
}
