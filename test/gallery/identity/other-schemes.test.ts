/** Tests requests that carry a proxy's password or another scheme in the Authorization header. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, password, register } from '../../support/people.ts';

const encode = (text: string) => Buffer.from(text).toString('base64');

/** Headers that count as absent: another scheme than Bearer, or Bearer without a token. */
const foreignHeaders: Record<string, string> = {
  'the password of nginx': `Basic ${encode('family:secret')}`,
  'a password in lower case': `basic ${encode('family:secret')}`,
  'a password with letters beyond ASCII': `Basic ${encode('böse:geheim')}`,
  'an empty password': `Basic ${encode(':')}`,
  'Basic without credentials': 'Basic',
  Digest: 'Digest username="family", realm="photos", nonce="1", uri="/", response="0"',
  Negotiate: 'Negotiate YIIJvwYGKwYBBQUCoIIJszCCCa',
  NTLM: 'NTLM TlRMTVNTUAABAAAAB4IIogAAAAA',
  'a signature of AWS': 'AWS4-HMAC-SHA256 Credential=AKIA/20260101/x/s3/aws4_request, Signature=0',
  'a token of GitHub': 'token ghp_0123456789',
  DPoP: 'DPoP eyJhbGciOiJSUzI1NiJ9',
  'no scheme': 'x'.repeat(43),
  'the empty header': '',
  'Bearer alone': 'Bearer',
  'Bearer and a blank': 'Bearer ',
  'Bearer inside another word': 'Bearerx abc',
};

describe('an Authorization header of somebody else', () => {
  let gallery: Gallery;
  let ann: Person;
  let cookie: string;
  let image: string;
  let hidden: string;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    image = (await addPhoto(ann)).thumb;
    hidden = (await addPhoto(ann, { is_public: '0', title: 'Hidden' })).path;
    const login = await asVisitor(gallery).send('POST', '/api/auth/login', {
      headers: { 'content-type': 'application/json', origin: gallery.url },
      body: JSON.stringify({ username: 'ann', password, cookie: true }),
    });
    cookie = login.headers.get('set-cookie')!.split(';')[0]!;
  });
  after(() => gallery?.close());

  for (const [name, authorization] of Object.entries(foreignHeaders)) {
    test(`leaves the cookie valid and public reads open: ${name}`, async () => {
      const visitor = asVisitor(gallery);
      assert.equal(assertRead(await visitor.get('/api/auth/user', { authorization, cookie })).id, ann.id);
      assertRead(await visitor.get('/api/photos', { authorization }));
      assert.equal((await visitor.get(image, { authorization })).status, 200);
      assertRefused(await visitor.get('/api/auth/user', { authorization }), 401, 401);
    });
  }

  test('shows a private original to the owner with the cookie, and to nobody without', async () => {
    const authorization = foreignHeaders['the password of nginx']!;
    const path = hidden.split('?')[0]!;
    assert.equal((await asVisitor(gallery).get(path, { authorization, cookie })).status, 200);
    assert.notEqual((await asVisitor(gallery).get(path, { authorization })).status, 200);
  });

  test('does not weaken the protection of the cookie against other sites', async () => {
    const answer = await asVisitor(gallery).send('PUT', '/api/auth/profile', {
      headers: {
        authorization: foreignHeaders['the password of nginx']!,
        cookie,
        origin: 'https://evil.example',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ bio: 'forged' }),
    });
    assertRefused(answer, 403, 403);
  });

  test('keeps a bad token beside a good cookie an error', async () => {
    const headers = { authorization: 'Bearer nonsense', cookie };
    assertRefused(await asVisitor(gallery).get('/api/auth/user', headers), 401, 10006);
  });

  test('lets a visitor sign in and sign out', async () => {
    const headers = {
      authorization: foreignHeaders['the password of nginx']!,
      origin: gallery.url,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ username: 'ann', password, cookie: true });
    const login = await asVisitor(gallery).send('POST', '/api/auth/login', { headers, body });
    assertWritten(login);
    const session = login.headers.get('set-cookie')!.split(';')[0]!;
    const { authorization, origin } = headers;
    const logout = { headers: { authorization, origin, cookie: session } };
    assert.equal((await asVisitor(gallery).send('POST', '/api/auth/logout', logout)).status, 200);
    const after = await asVisitor(gallery).get('/api/auth/user', { authorization, cookie: session });
    assertRefused(after, 401, 401);
  });
});
