/** Adds comments and reports for tests of moderation. */
import { assertWritten } from './assert-answers.ts';
import type { Person } from './people.ts';

/** Adds a comment, and returns its id. */
export async function addComment(
  who: Person,
  photo: number,
  content: string,
  parent_id?: number,
): Promise<number> {
  return assertWritten(await who.post(`/api/photos/${photo}/comments`, { content, parent_id })).id;
}

/** Adds a report, and returns its id. */
export async function addReport(who: Person, target_type: string, target_id: number): Promise<number> {
  const said = { reason: 'abuse', content: 'Look' };
  return assertWritten(await who.post('/api/reports', { target_type, target_id, ...said })).id;
}
