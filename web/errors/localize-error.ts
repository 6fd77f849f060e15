/** Translates API errors into the language of the page. */
import { getLanguage } from '../messages/messages.ts';
import { type ErrorTexts, type FieldErrors, translateError } from './error-texts.ts';

/** The API's messages are English. Other languages are loaded with the first error. */
const textLoaders: Record<string, () => Promise<{ errorTexts: ErrorTexts }>> = {
  'zh-CN': () => import('./zh-CN.ts'),
};

export async function localizeError(
  code: number,
  message: string,
  fields: FieldErrors = {},
): Promise<[message: string, fields: FieldErrors]> {
  const table = await textLoaders[getLanguage()]?.().catch(() => undefined);
  return table
    ? translateError(table.errorTexts, code, message, fields)
    : [removeFinalPeriod(message), fields];
}

/** Removes the final period of a message, because the texts of the page add the period themselves. */
export function removeFinalPeriod(message: string): string {
  return message.replace(/\.$/, '');
}
