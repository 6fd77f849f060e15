/** One line a request, written when it is answered. Never a token, a password, a query string or a body. */
import type { App } from '../app.ts';
import type { Deps } from '../deps.ts';

export function logRequests(app: App, { log }: Deps): void {
  const showsDetails = log.isLevelEnabled('debug');
  app.addHook('onResponse', (request, reply, done) => {
    // Images outnumber everything else many times over: their successes are for debugging only.
    const isDetail = request.url.startsWith('/storage/') && reply.statusCode < 400;
    if (isDetail && !showsDetails) return done();
    request.log[isDetail ? 'debug' : 'info'](
      {
        method: request.method,
        path: pathOf(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: request.viewer?.id,
        ip: request.ip,
      },
      'request',
    );
    done();
  });
}

/** Without the query string, which may hold a signature; and without a share's token. */
function pathOf(url: string): string {
  return url.split('?', 1)[0]!.replace(/^(\/s\/|\/api\/shares\/)[^/]+/, '$1…');
}
