/**
 * Sends SIGTERM while the server works. The server must finish the requests that it received or refuse them
 * clearly, and exit with 0. `npm run torture -- stops` does the same under mixed load.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pino from 'pino';
import { readConfig } from '../../server/config.ts';
import { closeDeps, openDeps } from '../../server/deps.ts';
import { checkGallery } from '../../server/tools/check/check.ts';
import { silentProgress } from '../../server/tools/transfer/progress.ts';
import { errorsIn } from '../../torture/log.ts';
import { eventually, listTemporaryFiles } from '../support/gallery-counts.ts';
import { asVisitor, createPerson, type Person, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { createRequestHead, openSocket } from '../support/raw.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { hashSha256 } from '../support/uploads.ts';

const graceMs = 25_000;

describe('a server that is stopped', () => {
  let dataDir: string;
  let server: ServerProcess;
  let owner: Person;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lightwell-stop-'));
    server = await startServer({ dataDir });
    owner = await register(server, 'owner');
  });
  after(async () => {
    await server?.end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  test('finishes the uploads under way and ends with 0', async (context) => {
    const picture = await createJpeg({ width: 3000, height: 2000 });
    /** SHA-256 of each acknowledged upload by photo id. */
    const answered = new Map<number, string>();
    const uploads = Array.from({ length: 6 }, async (_, number) => {
      const file = Buffer.concat([picture, Buffer.from(String(number))]);
      const answer = await owner.upload(file).catch(() => undefined);
      if (answer?.status === 200) answered.set(answer.body.data.id, hashSha256(file));
      else assert.ok(answer === undefined || answer.status === 503, String(answer?.status));
    });
    await eventually(async () => assert.ok((await listTemporaryFiles(dataDir)).length >= 2));
    const start = performance.now();
    const code = await server.end('SIGTERM');
    const ms = performance.now() - start;
    await Promise.all(uploads);
    assert.equal(code, 0, server.output());
    assert.deepEqual(errorsIn(server.output()), []);
    assert.ok(ms < graceMs, `${ms} ms`);
    assert.ok(answered.size >= 2, 'what was received is finished');
    context.diagnostic(`${answered.size} of 6 uploads were finished, in ${Math.round(ms)} ms`);
    assert.deepEqual(await listTemporaryFiles(dataDir), []);

    assert.deepEqual(await findings(), []);
    server = await startServer({ dataDir });
    owner = createPerson(server, owner.name, owner.token, owner.id);
    const { list } = (await owner.get('/api/photos')).body.data;
    assert.equal(list.length, answered.size);
    for (const { id, thumb } of list) {
      assert.equal(hashSha256((await owner.get(`/api/photos/${id}/download`)).bytes), answered.get(id));
      assert.equal((await owner.get(thumb)).status, 200);
    }
  });

  /** Runs `lightwell check` including checksums of originals, and returns its findings. */
  async function findings(): Promise<string[]> {
    const found: string[] = [];
    const deps = await openDeps(readConfig({ DATA_DIR: dataDir }), pino({ level: 'silent' }));
    try {
      await checkGallery(deps, {
        ...{ isFast: false, isRepair: false, jobs: 2, progress: silentProgress },
        onFinding: ({ kind, subject }) => found.push(`${kind}: ${subject}`),
      });
    } finally {
      await closeDeps(deps);
    }
    return found;
  }

  test('serves what arrives on a connection that was in use when the stop began', async () => {
    const { id } = (await owner.upload(await createJpeg())).body.data;
    const socket = openSocket(server).setEncoding('utf8');
    let answer = '';
    socket.on('data', (text: string) => {
      answer += text;
    });
    const request = createRequestHead('GET', `/api/photos/${id}`, { Connection: 'keep-alive' });
    // Sends part of a request head: Node regards a connection as busy from its first byte on.
    await once(socket, 'connect');
    socket.write(request.slice(0, 20));
    // Waits for the responses to five requests on other connections. The server reads its connections in turn, so
    // the server has then also read the partial request.
    for (let n = 0; n < 5; n++) assert.equal((await asVisitor(server).get('/health/live')).status, 200);
    const ended = server.end('SIGTERM');
    await eventually(() => assert.rejects(asVisitor(server).get('/health/live')));
    socket.write(request.slice(20));
    assert.equal(await ended, 0, server.output());
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.match(answer, /\r\nconnection: close\r\n/i);
    assert.match(answer, new RegExp(`"id":${id},`));
    server = await startServer({ dataDir });
    owner = createPerson(server, owner.name, owner.token, owner.id);
  });

  test('does not wait for connections that ask nothing, and loses no count', async () => {
    const idle = openSocket(server);
    const { id } = (await owner.upload(await createJpeg())).body.data;
    for (let view = 0; view < 5; view++) await asVisitor(server).get(`/api/photos/${id}`);
    const start = performance.now();
    assert.equal(await server.end('SIGTERM'), 0);
    assert.ok(performance.now() - start < 15_000);
    idle.destroy();
    server = await startServer({ dataDir });
    assert.equal((await asVisitor(server).get(`/api/photos/${id}`)).body.data.views, 6);
  });

  test('cuts off an upload that never ends, and still ends with 0', async () => {
    assert.equal(await server.end('SIGTERM'), 0);
    // The server has a stop deadline of twenty seconds, which `sooner` shortens to two.
    server = await startServer({ dataDir, sooner: { 20000: 2000 } });
    const stalled = openSocket(server);
    stalled.write(
      createRequestHead('POST', '/api/photos/upload', {
        Authorization: `Bearer ${owner.token}`,
        'Content-Type': 'multipart/form-data; boundary=b',
        'Content-Length': 100_000,
      }),
    );
    stalled.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nbegun');
    await eventually(async () => assert.equal((await listTemporaryFiles(dataDir)).length, 1));
    const start = performance.now();
    assert.equal(await server.end('SIGTERM'), 0, server.output());
    const ms = performance.now() - start;
    assert.ok(ms > 1900 && ms < graceMs, `${ms} ms`);
    assert.deepEqual(await listTemporaryFiles(dataDir), []);
  });
});
