/** Whole answers of read endpoints, kept as bytes until anything is committed to the database. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../db/index.ts';
import { createVersionCache, type ReadThrough } from '../db/version-cache.ts';
import type { Clock } from '../process/clock.ts';

/** Of all endpoints together. */
const keptBytes = 32 * 1024 * 1024;
/** What a key and the bookkeeping take. */
const overheadBytes = 500;
const longestUrl = 300;

/** Sends the kept answer to the same question by the same viewer, else makes it, keeps it and sends it. */
export type SendCached = (
  request: FastifyRequest,
  reply: FastifyReply,
  make: () => Promise<object>,
) => Promise<void>;

/** One for the process: its memory does not grow with the number of endpoints. */
export function createAnswers(db: Database): ReadThrough<Buffer> {
  return createVersionCache<Buffer>(db, {
    maxSize: keptBytes,
    sizeOf: (bytes) => bytes.length + overheadBytes,
  });
}

export function createAnswerCache(deps: { answers: ReadThrough<Buffer>; clock: Clock }): SendCached {
  return async (request, reply, make) => {
    // Through the route's response schema, as if it were sent right away.
    const toBytes = async () => Buffer.from(reply.serialize(await make()) as string);
    const { url, viewer } = request;
    // Signed paths in an answer change with the hour, whatever the database says.
    // The router leads the same target to the same route each time, so that it tells the endpoints apart.
    const key = `${viewer?.id ?? 0} ${Math.floor(deps.clock() / 3600)} ${url}`;
    const bytes = await (url.length > longestUrl ? toBytes() : deps.answers(key, toBytes));
    reply.header('content-type', 'application/json; charset=utf-8').send(bytes);
  };
}
