/** Language of a page: the user's choice, else the browser's first language that exists. */
import type { FastifyRequest } from 'fastify';

/** Languages of the gallery's pages, as in `web/messages`. */
export const pageLanguages = ['en', 'zh-CN'] as const;
export type Language = (typeof pageLanguages)[number];

/** Cookie that a page sets when the user chooses a language. */
const languageCookiePattern = /(?:^|;\s*)lightwell_language=([\w-]{2,5})(?:;|$)/;
const maxHeaderLength = 200;

export function languageOf(request: Pick<FastifyRequest, 'headers'>): Language {
  return wantedLanguage(request) ?? 'en';
}

/** Returns the client's language. Undefined if the client names none, or none that exists. */
export function wantedLanguage({ headers }: Pick<FastifyRequest, 'headers'>): Language | undefined {
  const choice = languageCookiePattern.exec(headers.cookie ?? '')?.[1];
  const accepted = (headers['accept-language'] ?? '').slice(0, maxHeaderLength).split(',');
  for (const wanted of [choice, ...sortByWeight(accepted)]) {
    const found =
      wanted && pageLanguages.find((language) => primarySubtag(language) === primarySubtag(wanted));
    if (found) return found;
  }
  return undefined;
}

function sortByWeight(accepted: string[]): string[] {
  return accepted
    .map((entry) => {
      const [tag = '', quality] = entry.trim().split(/;\s*q=/);
      return { tag: tag.trimEnd(), quality: Number(quality ?? 1) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}

function primarySubtag(tag: string): string {
  return tag.split('-')[0]!.toLowerCase();
}
