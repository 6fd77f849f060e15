/** Checks that every kind of change works after a trouble, without a restart. */
import { setTimeout as pause } from 'node:timers/promises';
import { createPerson, type GalleryUrl } from '../../test/support/people.ts';
import { createJpeg } from '../../test/support/pictures.ts';
import type { Ledger } from './ledger.ts';

const againMs = 100;

/**
 * Uploads, edits, likes and comments as a user whom the ledger does not track. `failed` gets each failure. A
 * 503 is retried for `patienceMs` milliseconds.
 */
export async function tryAll(
  place: GalleryUrl,
  ledger: Ledger,
  failed: string[],
  patienceMs = 0,
): Promise<void> {
  const { name, token, id } = ledger.users[0]!;
  const who = createPerson(place, name, token, id);
  let photo = 0;
  const steps: [string, () => ReturnType<typeof who.get>][] = [
    ['an upload', async () => who.upload(await createJpeg(), { title: 'after it' })],
    ['an edit', () => who.post(`/api/photos/${photo}/edit`, { action: 'rotate', params: { angle: 90 } })],
    ['a like', () => who.post(`/api/photos/${photo}/like`)],
    ['a comment', () => who.post(`/api/photos/${photo}/comments`, { content: 'after it' })],
    ['a deletion', () => who.delete(`/api/photos/${photo}`)],
    ['a purge', () => who.delete(`/api/trash/${photo}`)],
  ];
  for (const [what, ask] of steps) {
    const end = Date.now() + patienceMs;
    let answer = await ask().catch((error: Error) => error);
    while (!(answer instanceof Error) && answer.status === 503 && Date.now() < end) {
      await pause(againMs);
      answer = await ask().catch((error: Error) => error);
    }
    if (answer instanceof Error || answer.status !== 200) {
      const told = answer instanceof Error ? answer.message : `${answer.status} ${answer.bytes}`;
      failed.push(`${what}: ${told}`);
      return;
    }
    if (what === 'an upload') photo = answer.body.data.id;
  }
}
