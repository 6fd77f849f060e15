/** Steps of tests that reach a gallery under another host name. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Gallery } from '../../support/harness.ts';
import { password, register, registerAdmin } from '../../support/people.ts';

/** Returns the text of a page. Unlike `fetch`, the request can have any Host. */
export async function getFrom(
  { url }: Pick<Gallery, 'url'>,
  path: string,
  headers: Record<string, string>,
): Promise<string> {
  const [answer] = (await once(request(url + path, { headers }).end(), 'response')) as [IncomingMessage];
  return text(answer);
}

/** Registers the admin `chief` or an ordinary user, and signs in like a browser that shows the gallery at `origin`. */
export async function signInAt(gallery: Gallery, name: string, origin: string): Promise<void> {
  await (name === 'chief' ? registerAdmin : register)(gallery, name);
  const sent = request(`${gallery.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Host: new URL(origin).host, Origin: origin },
  });
  sent.end(JSON.stringify({ username: name, password, cookie: true }));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  assert.equal(answer.statusCode, 200, await text(answer));
}
