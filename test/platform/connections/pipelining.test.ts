/**
 * The server answers the requests of a connection one after the other, and disconnects a client that sends
 * hundreds at once.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../support/gallery-counts.ts';
import { asVisitor } from '../../support/people.ts';
import { createRequestHead, openSocket } from '../../support/raw.ts';
import {
  countConnections,
  createHeaders,
  type LargeGallery,
  openFiles,
  readAnswers,
  sendAndSleep,
  startLarge,
} from './clients.ts';

describe('pipelined requests', { skip: process.platform !== 'linux' && 'needs /proc' }, () => {
  let large: LargeGallery;
  let own: { token: string | undefined };

  before(async () => {
    large = await startLarge();
    own = { token: large.owner.token };
  });
  after(() => large?.gallery.close());

  test('a thousand for an original on one connection open one file at most, and end it', async () => {
    const { gallery, path } = large;
    const before = await openFiles();
    const others = await countConnections(gallery);
    const socket = sendAndSleep(gallery, path, 1000, own);
    await once(socket, 'connect');
    let max = 0;
    await eventually(async () => {
      max = Math.max(max, (await openFiles()) - before);
      assert.ok((await countConnections(gallery)) <= others, 'the server still keeps the connection');
    }, 30_000);
    // Allows twelve descriptors: the client's socket, the server's socket, the file, and the connections that
    // `fetch` keeps.
    assert.ok(max <= 12, `${max} descriptors`);
    socket.destroy();
    assert.equal((await asVisitor(gallery).get('/health/live')).status, 200);
    await eventually(async () => assert.ok((await openFiles()) - before <= 4), 30_000);
  });

  test('two thousand for the figures are not answered', async () => {
    const { gallery } = large;
    const socket = openSocket(gallery);
    const heard = readAnswers(socket);
    socket.write(createRequestHead('GET', '/metrics', createHeaders({})).repeat(2000));
    const answers = (await heard).split('HTTP/1.1 200').length - 1;
    assert.ok(answers <= 9, `${answers} answers`);
    assert.equal((await asVisitor(gallery).get('/health/live')).status, 200);
  });

  test('a few are answered in their order, large ones too, with one file open at a time', async () => {
    const { gallery, path, file } = large;
    const before = await openFiles();
    const socket = openSocket(gallery).pause();
    const paths = [path, '/health/live', path, '/api/photos', path];
    socket.write(paths.map((each) => createRequestHead('GET', each, createHeaders(own))).join(''));
    // The first response fills the socket buffers, and the other responses wait.
    await eventually(async () => assert.ok((await openFiles()) > before + 1));
    assert.ok((await openFiles()) - before <= 6, 'the files of later answers are open');
    const chunks: Buffer[] = [];
    let length = 0;
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
    });
    socket.resume();
    await eventually(async () => assert.ok(length > 3 * file.length), 30_000);
    await pause(200);
    const received = Buffer.concat(chunks);
    assert.ok(received.subarray(-file.length).equals(file), 'the last answer is not complete');
    const text = received.toString('latin1');
    assert.equal(text.split('HTTP/1.1 200').length - 1, paths.length);
    const places = ['"status":"ok"', '"pagination"'].map((part) => text.indexOf(part));
    assert.ok(places[0]! > file.length && places[1]! > places[0]! + file.length, places.join());
    socket.destroy();
  });

  test('a request behind an upload is answered after it', async () => {
    const { gallery } = large;
    const socket = openSocket(gallery);
    const body = JSON.stringify({ username: 'owner', password: 'wrong wrong' });
    const login = { ...createHeaders({}), 'Content-Type': 'application/json', 'Content-Length': body.length };
    socket.write(
      createRequestHead('POST', '/api/auth/login', login) +
        body +
        createRequestHead('GET', '/health/live', {}),
    );
    const text = await readAnswers(socket);
    assert.match(text, /^HTTP\/1\.1 401 .*"code":10003.*HTTP\/1\.1 200 .*"status":"ok"/s);
  });

  test('unreadable bytes are refused after the responses to the requests before them', async () => {
    const { gallery, path, file } = large;
    const socket = openSocket(gallery);
    socket.write(createRequestHead('GET', path, createHeaders(own)));
    await eventually(async () => assert.ok(socket.bytesRead > 0));
    socket.write('unreadable\r\n\r\n');
    // The server reads the bytes while the file is being sent.
    await pause(300);
    const text = await readAnswers(socket);
    const body = text.indexOf('\r\n\r\n') + 4;
    assert.match(text, /^HTTP\/1\.1 200 /);
    assert.ok(
      Buffer.from(text.slice(body, body + file.length), 'latin1').equals(file),
      'the file is not whole',
    );
    assert.match(text.slice(body + file.length), /^HTTP\/1\.1 400 .*"code":400,[^}]*\}$/s);
  });

  test('bytes after a request that closes the connection take nothing from its response', async () => {
    const socket = openSocket(large.gallery);
    const closing = createRequestHead('GET', '/api/photos', { ...createHeaders(own), Connection: 'close' });
    socket.write(closing + createRequestHead('GET', '/health/live', {}));
    const text = await readAnswers(socket);
    assert.match(text, /^HTTP\/1\.1 200 .*"pagination"/s);
    assert.equal(text.split('HTTP/1.1 ').length - 1, 1);
  });

  test('a body that becomes unreadable after its response gets no second response', async () => {
    const socket = openSocket(large.gallery);
    const headers = { 'Content-Type': 'multipart/form-data; boundary=edge', 'Transfer-Encoding': 'chunked' };
    socket.write(createRequestHead('POST', '/api/photos/upload', { ...createHeaders({}), ...headers }));
    await eventually(async () => assert.ok(socket.bytesRead > 0));
    socket.write('no chunk\r\n');
    const text = await readAnswers(socket);
    assert.equal(text.match(/HTTP\/1\.1 \d+/g)?.join(), 'HTTP/1.1 401');
  });
});
