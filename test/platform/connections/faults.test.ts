/** Tests requests that the server refuses before they reach a route. Each refusal uses the JSON envelope. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, suite, test } from 'node:test';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { exchangeRaw, openSocket } from '../../support/raw.ts';

let gallery: Gallery;
before(async () => {
  gallery = await startGallery();
});
after(() => gallery?.close());

const ask = (...lines: string[]) => exchangeRaw(gallery, `${lines.join('\r\n')}\r\n\r\n`);

const get = 'GET /api/photos HTTP/1.1';
const login = 'POST /api/auth/login HTTP/1.1';

const refused: [string, number, string[]][] = [
  ['two hosts', 400, [get, 'Host: a.example', 'Host: b.example']],
  ['the same host twice', 400, [get, 'Host: a.example', 'hOST: a.example']],
  ['no host', 400, [get]],
  [
    'a body that was compressed on its way',
    415,
    [
      login,
      'Host: a.example',
      'Content-Type: application/json',
      'Transfer-Encoding: gzip, chunked',
      '',
      '0',
      '',
    ],
  ],
  ['an expectation that nobody knows', 417, [get, 'Host: a.example', 'Expect: a-miracle']],
  ['CONNECT', 405, ['CONNECT example.org:443 HTTP/1.1', 'Host: example.org:443']],
];

suite('a request', () => {
  for (const [what, status, lines] of refused) {
    test(`is refused with ${status} and ends its connection when it has ${what}`, async () => {
      const answer = await ask(...lines);
      assert.deepEqual([answer.status, answer.body.code], [status, status]);
      assert.deepEqual(Object.keys(answer.body), ['code', 'message']);
      assert.equal(answer.headers.get('connection'), 'close');
    });
  }

  test('needs no host with HTTP/1.0, and may wait for its 100', async () => {
    assert.equal((await ask('GET /api/photos HTTP/1.0')).status, 200);
    const waiting = await ask(get, 'Host: a.example', 'Expect: 100-continue', 'Connection: close');
    assert.equal(waiting.status, 200);
    const chunked = [
      login,
      'Host: a.example',
      'Content-Type: application/json',
      'Transfer-Encoding: Chunked',
    ];
    assert.equal((await ask(...chunked, 'Connection: close', '', '2', '{}', '0', '')).status, 400);
  });

  test('leaves the response before it whole when it is refused', async () => {
    const socket = openSocket(gallery);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write(`${get}\r\nHost: a.example\r\n\r\n${get}\r\n\r\n${get}\r\nHost: a.example\r\n\r\n`);
    await once(socket, 'close');
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    assert.deepEqual(statuses, ['200', '400']);
    assert.match(text, /^HTTP\/1\.1 200 .*\{"code":0,.*\{"code":400,[^}]*\}$/s);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
