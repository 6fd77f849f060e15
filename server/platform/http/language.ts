/** The language of a page: the one that its reader chose, else the first of the browser's that there is. */
import type { FastifyRequest } from 'fastify';

/** Of the gallery's pages, as in `web/messages`. */
export const languages = ['en', 'zh-CN'] as const;
export type Language = (typeof languages)[number];

/** What a page writes when its reader chooses. */
const chosen = /(?:^|;\s*)lightwell_language=([\w-]{2,5})(?:;|$)/;
const maxHeaderLength = 200;

export function languageOf(request: Pick<FastifyRequest, 'headers'>): Language {
  return wantedLanguage(request) ?? 'en';
}

/** Undefined where the client says nothing, or names none that there is. */
export function wantedLanguage({ headers }: Pick<FastifyRequest, 'headers'>): Language | undefined {
  const choice = chosen.exec(headers.cookie ?? '')?.[1];
  const accepted = (headers['accept-language'] ?? '').slice(0, maxHeaderLength).split(',');
  for (const wanted of [choice, ...inOrder(accepted)]) {
    const found = wanted && languages.find((language) => primaryOf(language) === primaryOf(wanted));
    if (found) return found;
  }
  return undefined;
}

function inOrder(accepted: string[]): string[] {
  return accepted
    .map((entry) => {
      const [tag = '', quality] = entry.trim().split(/;\s*q=/);
      return { tag: tag.trimEnd(), quality: Number(quality ?? 1) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}

function primaryOf(tag: string): string {
  return tag.split('-')[0]!.toLowerCase();
}
