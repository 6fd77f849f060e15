/** What people say and what is said of them, for the tests of administration. */
import { assertWriteReturnedData } from './assert-answers.ts';
import type { Person } from './people.ts';

/** Returns the comment's id. */
export async function addComment(
  who: Person,
  photo: number,
  content: string,
  parent_id?: number,
): Promise<number> {
  return assertWriteReturnedData(await who.post(`/api/photos/${photo}/comments`, { content, parent_id })).id;
}

/** Returns the report's id. */
export async function addReport(who: Person, target_type: string, target_id: number): Promise<number> {
  const said = { reason: 'abuse', content: 'Look' };
  return assertWriteReturnedData(await who.post('/api/reports', { target_type, target_id, ...said })).id;
}
