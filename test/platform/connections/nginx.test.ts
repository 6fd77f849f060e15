/** A refused upload through nginx, set up as in docs/deploy.md, gets the server's refusal and not a 502. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../support/gallery-counts.ts';
import { asVisitor, createPerson } from '../../support/people.ts';
import { findFreePort } from '../../support/postgres.ts';
import { createRequestHead, openSocket } from '../../support/raw.ts';
import { type LargeGallery, readAnswers, startLarge } from './clients.ts';

const isMissing = spawnSync('nginx', ['-v']).error !== undefined;
const rounds = 5;
/**
 * Bytes of an upload that is larger than the gallery accepts at once, and smaller than the system's socket
 * buffers.
 */
const partBytes = 200_000;
const bodyBytes = 60_000_000;
const arrivalMs = 100;

describe('through nginx', { skip: isMissing && 'nginx is not installed' }, () => {
  let large: LargeGallery;
  let folder: string;
  let nginx: ChildProcess;
  let url: string;

  before(async () => {
    large = await startLarge({}, { trustProxy: true, maxUploadBytes: 50 * 1024 * 1024 });
    folder = await mkdtemp(join(tmpdir(), 'lightwell-nginx-'));
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    await writeFile(join(folder, 'nginx.conf'), configuration(folder, port, large.gallery.url));
    nginx = spawn('nginx', ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')]);
    await eventually(async () => {
      const status = await asVisitor({ url })
        .get('/health/live')
        .then(
          (answer) => answer.status,
          () => 0,
        );
      assert.equal(status, 200);
    }, 20_000);
  });
  after(async () => {
    if (nginx?.exitCode === null) {
      nginx.kill('SIGTERM');
      await once(nginx, 'exit');
    }
    await large?.gallery.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  test('a large upload is refused by the gallery, with its code', async () => {
    const owner = createPerson({ url }, 'owner', large.owner.token, large.owner.id);
    const file = Buffer.alloc(55 * 1024 * 1024);
    for (let round = 0; round < rounds; round++) {
      const refused = await asVisitor({ url }).upload(file);
      assert.deepEqual([refused.status, refused.body.code], [401, 401]);
      const tooLarge = await owner.upload(file);
      assert.deepEqual([tooLarge.status, tooLarge.body.code], [413, 20002]);
      const headers = { 'content-type': 'image/jpeg' };
      const wrong = await owner.send('POST', '/api/photos/upload', { body: file, headers });
      assert.deepEqual([wrong.status, wrong.body.code], [415, 415]);
    }
  });

  /**
   * Pauses nginx from the arrival of the request until the gallery has sent its response. Then nginx finds
   * more of the upload and the response at the same time, and handles the upload first. If the gallery no
   * longer reads, nginx fails to send the rest.
   */
  async function uploadAsItIsRefused(headers: Record<string, string>): Promise<string> {
    const { server } = large.gallery;
    const client = openSocket({ url });
    const heard = readAnswers(client);
    const answered = Promise.withResolvers<void>();
    server.prependOnceListener('request', (_: IncomingMessage, response: ServerResponse) => {
      // Blocks the gallery's thread meanwhile, so that the body which came with the request waits in the
      // socket.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, arrivalMs);
      nginx.kill('SIGSTOP');
      client.write(Buffer.alloc(partBytes));
      response.once('close', () => answered.resolve());
    });
    const form = { 'Content-Type': 'multipart/form-data; boundary=edge', 'Content-Length': bodyBytes };
    client.write(createRequestHead('POST', '/api/photos/upload', { ...form, ...headers }));
    client.write(Buffer.alloc(partBytes));
    await answered.promise;
    await pause(arrivalMs);
    nginx.kill('SIGCONT');
    return heard;
  }

  test('an upload that goes on while it is refused is answered by the gallery, never by a 502', async () => {
    const owner = { Authorization: `Bearer ${large.owner.token}` };
    const refusals: [number, number, Record<string, string>][] = [
      [401, 401, {}],
      [413, 20002, owner],
      [415, 415, { ...owner, 'Content-Type': 'image/jpeg' }],
    ];
    for (const [status, code, headers] of refusals) {
      const answer = await uploadAsItIsRefused(headers);
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} .*"code":${code}[,}]`, 's'));
    }
  });

  test('an upload that is taken is taken', async () => {
    const owner = createPerson({ url }, 'owner', large.owner.token, large.owner.id);
    assert.equal((await owner.upload(large.file)).status, 200);
  });
});

/** Returns the nginx configuration of docs/deploy.md without TLS. */
function configuration(folder: string, port: number, upstream: string): string {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `daemon off; master_process off; pid ${folder}/nginx.pid; worker_processes 1;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events {}
    http {
      access_log off;
      ${places.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
      server {
        listen 127.0.0.1:${port};
        client_max_body_size 110m;
        proxy_request_buffering off;
        location / {
          proxy_pass ${upstream};
          proxy_http_version 1.1;
          proxy_set_header Host $host;
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
          proxy_set_header X-Forwarded-Proto $scheme;
          proxy_read_timeout 120s;
        }
      }
    }`;
}
