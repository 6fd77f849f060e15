/**
 * Health routes for load balancers and people: whether the process runs, and whether database and storage work.
 * Responses are not in the API's envelope.
 */
import type { Logger } from 'pino';
import { shareRunningCall } from '../concurrency/shared-call.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Database } from '../db/index.ts';
import type { App } from '../http/app.ts';
import { Type } from '../schema/type.ts';
import type { Storage } from '../storage/storage.ts';

const Live = Type.Object({ status: Type.Literal('ok') }, { title: 'Liveness' });

const Serving = Type.Object(
  { status: Type.Unsafe<'ok' | 'stopping'>({ type: 'string', enum: ['ok', 'stopping'] }) },
  { title: 'ServingState' },
);

const Part = Type.Object(
  { status: Type.Unsafe<'ok' | 'failed'>({ type: 'string', enum: ['ok', 'failed'] }) },
  { title: 'PartHealth' },
);

const Ready = Type.Object(
  {
    status: Type.Unsafe<'ok' | 'failed'>({ type: 'string', enum: ['ok', 'failed'] }),
    database: Part,
    storage: Part,
    redis: Type.Optional(Part),
    stopping: Type.Optional(
      Type.Boolean({ description: 'true: the server stops after `STOP_DELAY` seconds and still serves' }),
    ),
  },
  { title: 'Health' },
);

/** Milliseconds that the database or the storage gets to answer. Then that part counts as failed. */
const askTimeoutMs = 3000;

interface Parts {
  db: Database;
  storage: Storage;
  log: Logger;
}

interface HealthOptions extends Parts {
  isStopping(): boolean;
}

export async function healthRoutes(app: App, deps: HealthOptions): Promise<void> {
  const tags = ['Operations'];
  // This route has no rate limit, so concurrent requests share one check and one written file.
  const askDatabase = shareRunningCall(() => askPart('database', deps.db.ping, deps));
  const askStorage = shareRunningCall(() => askPart('storage', deps.storage.ping, deps));

  app.get(
    '/health/live',
    {
      config: { openToVisitors: true },
      schema: {
        operationId: 'getLiveness',
        tags,
        summary: 'Check that the process runs',
        description: 'Does not check the database or the storage.',
        response: { 200: Live },
      },
    },
    async () => ({ status: 'ok' as const }),
  );

  app.get(
    '/health/serving',
    {
      config: { openToVisitors: true },
      schema: {
        operationId: 'getServingState',
        tags,
        summary: 'Check that the server takes new requests',
        description:
          'For load balancers. Answers 503 once the server is about to stop (`STOP_DELAY`), while it still serves. ' +
          'Does not check the database or the storage, because all servers would fail together.',
        response: { 200: Serving, 503: Serving },
      },
    },
    async (_request, reply) => {
      const isStopping = deps.isStopping();
      return reply
        .code(isStopping ? 503 : 200)
        .header('Cache-Control', 'no-store')
        .send({ status: isStopping ? 'stopping' : 'ok' });
    },
  );

  for (const [path, operationId] of [
    ['/health', 'getHealth'],
    ['/health/ready', 'getReadiness'],
  ] as const) {
    app.get(
      path,
      {
        config: { openToVisitors: true },
        schema: {
          operationId,
          tags,
          summary: 'Check database and storage',
          description:
            'Runs a query and tests the storage. In a folder, each check overwrites one small file, which ' +
            'stays there. In S3, each check reads a small object, and a successful one writes another at ' +
            'most every 30 seconds. If Redis is configured, the response also has its state. Without ' +
            'Redis, rate limits count per process, and everything else works as before. A server that is about to ' +
            'stop (`STOP_DELAY`) answers 503 with `stopping`.',
          response: { 200: Ready, 503: Ready },
        },
      },
      async (_request, reply) => {
        const [database, storage] = await Promise.all([askDatabase(), askStorage()]);
        const isStopping = deps.isStopping();
        const status = database === 'ok' && storage === 'ok' && !isStopping ? 'ok' : 'failed';
        return reply
          .code(status === 'ok' ? 200 : 503)
          .header('Cache-Control', 'no-store')
          .send({
            status,
            database: { status: database },
            storage: { status: storage },
            ...(isStopping && { stopping: true }),
            ...(app.shared.redis && { redis: { status: app.shared.redis.isUp() ? 'ok' : 'failed' } }),
          });
      },
    );
  }
}

async function askPart(what: string, ping: () => Promise<void>, { log }: Parts): Promise<'ok' | 'failed'> {
  try {
    await withTimeout(askTimeoutMs, ping(), () => new Error('no response in time'));
    return 'ok';
  } catch (error) {
    log.warn({ err: error, part: what }, 'the database, the storage or Redis does not respond');
    return 'failed';
  }
}
