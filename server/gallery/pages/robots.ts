/** Serves `/robots.txt`. Search engines may read an open gallery, and nothing of a gallery for members. */
import type { Deps } from '../../deps.ts';
import type { App } from '../../platform/http/app.ts';
import { createIsMembersOnly } from '../identity/members-only.ts';

export function robotsRoute(app: App, deps: Deps): void {
  const isMembersOnly = createIsMembersOnly(deps);
  const open = { config: { openToVisitors: true }, schema: { hide: true } };
  app.get('/robots.txt', open, async (_request, reply) => {
    const rule = (await isMembersOnly()) ? 'Disallow: /' : 'Disallow:';
    reply.type('text/plain; charset=utf-8').header('Cache-Control', 'no-cache');
    return reply.send(`User-agent: *\n${rule}\n`);
  });
}
