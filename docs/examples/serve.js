/**
 * Serves wall.html at http://localhost:8080, and forwards /api and /storage to a gallery. The browser sees one origin,
 * which the session cookie needs. In production a reverse proxy does this: see docs/app.md.
 */
import { createReadStream } from 'node:fs';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const { hostname, port } = new URL(process.env.GALLERY ?? 'http://localhost:3000');
const page = fileURLToPath(new URL('wall.html', import.meta.url));
const tus = createRequire(import.meta.url).resolve('tus-js-client/dist/tus.min.js');
const files = new Map([
  ['/', { path: page, type: 'text/html; charset=utf-8' }],
  ['/tus.min.js', { path: tus, type: 'text/javascript' }],
]);

const server = createServer((incoming, answer) => {
  const { method, url, headers } = incoming;
  const file = files.get(url);
  if (file) {
    answer.setHeader('Content-Type', file.type);
    createReadStream(file.path).pipe(answer);
    return;
  }
  const onward = request({ hostname, port, method, path: url, headers }, (theirs) => {
    answer.writeHead(theirs.statusCode, theirs.headers);
    theirs.on('error', () => answer.destroy());
    theirs.pipe(answer);
  });
  // If the connection breaks on one side, the server closes the other side.
  onward.on('error', () => answer.destroy());
  answer.on('close', () => onward.destroy());
  incoming.pipe(onward);
});

server.listen(Number(process.env.PORT ?? 8080), () => {
  console.log(`The wall: http://localhost:${server.address().port}`);
});
