/**
 * Runs background jobs on libraries: photos follow the status of their account, and the search index follows
 * both.
 */
import assert from 'node:assert/strict';
import { eventually } from './gallery-counts.ts';
import type { Gallery } from './harness.ts';

/** Tells whether no visibility job is pending. */
export async function hasNoVisibilityJobs({ deps }: Gallery): Promise<boolean> {
  const { kysely } = deps.db;
  const job = await kysely.selectFrom('visibility_jobs').select('id').limit(1).executeTakeFirst();
  return !job;
}

export async function waitForVisibilityJobs(gallery: Gallery): Promise<void> {
  await eventually(async () => assert.ok(await hasNoVisibilityJobs(gallery), 'libraries wait'));
}
