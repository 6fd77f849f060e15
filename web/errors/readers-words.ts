/** What the API refused, in the language of the page. */
import { language } from '../messages/messages.ts';
import { type Fields, type Words, wordsFor } from './words.ts';

/** English is the API's own. Loaded with the first refusal. */
const tables: Record<string, () => Promise<{ words: Words }>> = { 'zh-CN': () => import('./zh-CN.ts') };

export async function inReadersWords(
  code: number,
  message: string,
  fields: Fields = {},
): Promise<[message: string, fields: Fields]> {
  const table = await tables[language()]?.().catch(() => undefined);
  return table ? wordsFor(table.words, code, message, fields) : [message, fields];
}
