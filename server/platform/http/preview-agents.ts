/** Recognizes requests that no person made: programs that preview links, and browsers that load a page in advance. */
import type { FastifyRequest } from 'fastify';

/** Programs whose name says that they read links. The phones of the maker Cubot are no programs. */
const namedForIt = /(?<!cu)bots?\b|crawler|spider|preview|unfurl|link-?expan|imgproxy|scrap(?:er|ing)?\b/i;

/** Other programs that messengers, mail programs and networks read links with. */
const otherAgents =
  /facebookexternal|meta-external|^whatsapp\/|^viber|vkshare|embedly|iframely|pinterest\/|cardyb|mastodon\/|pleroma|akkoma|misskey|synapse|rocket\.chat|nextcloud server|xing-content|^snap url|line-poker|dingtalk-?link|^lark|^zulip|^signal|hatenablog|flipboardproxy|tumblr\/|bitly|google-(?:pagerenderer|read-aloud|inspectiontool)|mediapartners/i;

/** Headers with which browsers mark requests in advance: `Sec-Purpose`, and its predecessors. */
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** Returns whether a person looks at the response. HEAD requests have no response to look at. */
export function isReadByPerson({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  if (method !== 'GET') return false;
  if (purposeHeaders.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? ''))))
    return false;
  const agent = headers['user-agent'] ?? '';
  return !namedForIt.test(agent) && !otherAgents.test(agent);
}
