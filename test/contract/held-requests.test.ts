/**
 * Tests requests that the server accepts, but whose caller loses the right to make them before they finish.
 */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readAnswers } from '../platform/connections/clients.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../support/assert-answers.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { logIn, type Person, password, register, registerAdmin } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { createRequestHead, openSocket } from '../support/raw.ts';

interface Held {
  /** Sends the last byte of the request and reads the response. */
  finish(): Promise<{ status: number; body: { code: number; data?: { token?: string } } }>;
}

/** Sends a request without its last byte, and waits until the server has authenticated the caller. */
async function hold(
  gallery: Gallery,
  { token }: Person,
  [method, path]: [string, string],
  body: Buffer,
  type = 'application/json',
): Promise<Held> {
  const socket: Socket = openSocket(gallery);
  const answer = readAnswers(socket);
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': type,
    'Content-Length': body.length,
  };
  socket.write(createRequestHead(method, path, headers));
  socket.write(body.subarray(0, -1));
  await pause(300);
  return {
    async finish() {
      socket.write(body.subarray(-1));
      const text = await answer;
      return {
        status: Number(text.split(' ', 2)[1]),
        body: JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)),
      };
    },
  };
}

const json = (body: object) => Buffer.from(JSON.stringify(body));

describe('a request whose body comes after the right to send it has ended', () => {
  let gallery: Gallery;
  let root: Person;
  before(async () => {
    gallery = await startGallery();
    root = await registerAdmin(gallery, 'root');
  });
  after(() => gallery.close());

  test('a held request of a stolen session creates no API key after the password was changed', async () => {
    const owner = await register(gallery, 'owner');
    const thief = await logIn(gallery, owner);
    const wanted = json({ name: 'for later', scopes: ['read', 'write'] });
    const held = await hold(gallery, thief, ['POST', '/api/auth/tokens'], wanted);
    const change = { old_password: password, new_password: 'another horse 8', end_keys: true };
    assertDone(await owner.put('/api/auth/password', change));
    const { status, body } = await held.finish();
    assert.deepEqual([status, body.code, body.data], [401, 10006, undefined]);
    assert.deepEqual(assertRead(await owner.get('/api/auth/tokens')).list, []);
  });

  test('a held request creates no admin after its caller lost the role', async () => {
    const former = await registerAdmin(gallery, 'former');
    const path = `/api/admin/users/${former.id}`;
    const held = await hold(gallery, former, ['PUT', path], json({ is_admin: true }));
    assertWritten(await root.put(path, { is_admin: false }));
    const { status, body } = await held.finish();
    assert.deepEqual([status, body.code], [403, 403]);
    assertRefused(await former.get('/api/admin/stats'), 403, 403);
  });

  test('held requests write and upload nothing after their account was disabled', async () => {
    const spammer = await register(gallery, 'spammer');
    const photo = assertWritten(await root.upload(await createJpeg())).id as number;
    const comment = await hold(
      gallery,
      spammer,
      ['POST', `/api/photos/${photo}/comments`],
      json({ content: 'buy' }),
    );
    const form = new Response(
      (() => {
        const parts = new FormData();
        parts.append('file', new Blob([new Uint8Array(Buffer.alloc(1000))]), 'photo.jpg');
        return parts;
      })(),
    );
    const upload = await hold(
      gallery,
      spammer,
      ['POST', '/api/photos/upload'],
      Buffer.from(await form.arrayBuffer()),
      form.headers.get('content-type')!,
    );
    assertWritten(await root.put(`/api/admin/users/${spammer.id}`, { status: 0 }));
    for (const held of [comment, upload]) {
      const { status, body } = await held.finish();
      assert.deepEqual([status, body.code], [401, 10006]);
    }
    assert.deepEqual(assertRead(await root.get(`/api/photos/${photo}/comments`)).list, []);
  });
});

describe('a login that overlaps with a new password', () => {
  let gallery: Gallery;
  before(async () => {
    gallery = await startGallery();
  });
  after(() => gallery.close());

  test('a login with the old password that overlaps with a password change leaves no session', async () => {
    const root = await registerAdmin(gallery, 'root');
    const owner = await register(gallery, 'owner');
    const tokens: Person[] = [];
    // More than two of nine simultaneous logins wait for a password hash while the password changes.
    const logins = Array.from({ length: 9 }, () =>
      logIn(gallery, owner)
        .then((person) => tokens.push(person))
        .catch(() => {}),
    );
    assertWritten(await root.put(`/api/admin/users/${owner.id}`, { password: 'another horse 8' }));
    await Promise.all(logins);
    for (const thief of tokens) assertRefused(await thief.get('/api/auth/user'), 401, 10006);
    await logIn(gallery, owner, 'another horse 8');
  });
});
