/** A refusal of an upload through nginx, set up as docs/deploy.md says, is the refusal and not a 502. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../holdings.ts';
import { nobody, person } from '../people.ts';
import { freePort } from '../postgres.ts';
import { type LargeGallery, startLarge } from './clients.ts';

const isMissing = spawnSync('nginx', ['-v']).error !== undefined;
const rounds = 5;

describe('through nginx', { skip: isMissing && 'nginx is not installed' }, () => {
  let large: LargeGallery;
  let folder: string;
  let nginx: ChildProcess;
  let url: string;

  before(async () => {
    large = await startLarge({}, { trustProxy: true });
    folder = await mkdtemp(join(tmpdir(), 'lightwell-nginx-'));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    await writeFile(join(folder, 'nginx.conf'), configuration(folder, port, large.gallery.url));
    nginx = spawn('nginx', ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')]);
    await eventually(async () => {
      const status = await nobody({ url })
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
    const owner = person({ url }, 'owner', large.owner.token, large.owner.id);
    const file = Buffer.alloc(55 * 1024 * 1024);
    for (let round = 0; round < rounds; round++) {
      const anonymous = await nobody({ url }).upload(file);
      assert.deepEqual([anonymous.status, anonymous.body.code], [401, 401]);
      const tooLarge = await owner.upload(file);
      assert.deepEqual([tooLarge.status, tooLarge.body.code], [413, 20002]);
      const headers = { 'content-type': 'image/jpeg' };
      const wrong = await owner.send('POST', '/api/photos/upload', { body: file, headers });
      assert.deepEqual([wrong.status, wrong.body.code], [415, 415]);
    }
  });

  test('an upload that is taken is taken', async () => {
    const owner = person({ url }, 'owner', large.owner.token, large.owner.id);
    assert.equal((await owner.upload(large.file)).status, 200);
  });
});

/** The block of docs/deploy.md, without TLS. */
function configuration(folder: string, port: number, upstream: string): string {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `daemon off; pid ${folder}/nginx.pid; worker_processes 1;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events {}
    http {
      access_log off;
      ${places.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
      server {
        listen 127.0.0.1:${port};
        client_max_body_size 60m;
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
