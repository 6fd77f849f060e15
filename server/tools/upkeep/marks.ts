/** Keeps the marks in the orders of lists, in one of the gallery's processes at a time. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { foldChanges } from '../../gallery/library/fold-changes.ts';
import {
  beginGeneration,
  findUnmarked,
  type MarkSizes,
  removeMarks,
  setMarks,
  usualSizes,
} from '../../gallery/library/marks.ts';
import { createJob } from '../../platform/concurrency/job.ts';
import { levelOf } from '../../platform/db/dialect.ts';
import { takeLease } from '../../platform/db/settings.ts';

const everyMs = 15_000;
const retryMs = 60_000;
/** A round mostly takes less; of two that meet, one waits for the other's transactions and finds nothing to do. */
const turnSeconds = 10;
/** What changed is folded then, however little: titles that are gone are not kept for longer. */
const restSeconds = 3600;

/** So many changes are folded: each read of a place looks at all that are not. */
const enough = 1000;
/** In one transaction. */
const atOnce = 2000;

/** What it returns ends it. */
export function startMarking(deps: Deps): () => Promise<void> {
  const job = createJob({
    run: (stop) => keepMarks(deps, stop),
    onError: (error) => deps.log[levelOf(error)]({ err: error }, 'marks of lists are not kept, tried again'),
    everyMs,
    retryMs,
  });
  if (deps.db.hasMarks) job.startIn(everyMs);
  return job.stop;
}

async function keepMarks(deps: Deps, stop: AbortSignal): Promise<void> {
  const { db, clock } = deps;
  const changes = await countChanges(db);
  const isDue =
    changes >= enough ||
    (await findUnmarked(db, usualSizes)).length > 0 ||
    (changes > 0 && (await takeLease(db, 'the last changes of lists', clock(), restSeconds)));
  if (isDue && (await takeLease(db, 'marks of lists', clock(), turnSeconds))) {
    await bringMarks(deps, { sizes: usualSizes, stop });
  }
}

/** Up to what is enough. */
async function countChanges({ kysely }: Pick<Deps['db'], 'kysely'>): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n
    FROM (SELECT FROM list_changes LIMIT ${sql.lit(enough)}) AS changes`.execute(kysely);
  return rows[0]!.n;
}

/**
 * Folds all that has changed, and marks the lists that need it: in short transactions, so that what is left after a
 * crash or a stop is taken up by the next round, and reads are exact meanwhile.
 */
export async function bringMarks(
  deps: Pick<Deps, 'db'>,
  { sizes, stop }: { sizes: MarkSizes; stop?: AbortSignal },
): Promise<void> {
  const { db } = deps;
  const isBegun = await beginGeneration(db);
  while (!stop?.aborted && (await foldChanges(deps, atOnce)) > 0);
  // Before the first generation nothing is noted, and marks would not hold.
  if (!isBegun) return;
  for (const list of await findUnmarked(db, sizes)) {
    if (stop?.aborted) return;
    await setMarks(db, list, sizes);
  }
  await removeMarks(db, sizes);
}
