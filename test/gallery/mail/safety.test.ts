/** The owner of an account gets mail when its security settings change, also if an admin changes them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { changeUser } from '../../../server/gallery/admin/users/change.ts';
import { commandLineActor } from '../../../server/gallery/moderation/audit.ts';
import { assertDone, assertWritten } from '../../support/assert-answers.ts';
import { createAuthenticator } from '../../support/authenticator.ts';
import { type GalleryWithMail, publicUrl, startGalleryWithMail, waitForMail } from '../../support/mail.ts';
import { createCookieBrowser, oidcClient, startProvider } from '../../support/oidc.ts';
import { asVisitor, type Person, password, register, registerAdmin } from '../../support/people.ts';

const json = { 'Content-Type': 'application/json' };
const inChinese = { ...json, 'Accept-Language': 'zh-CN' };
const remove = (who: Person, path: string, headers: Record<string, string> = json) =>
  who.send('DELETE', path, { body: JSON.stringify({ password }), headers });

describe('mail about the safety of an account', () => {
  let posted: GalleryWithMail;
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let root: Person;

  before(async () => {
    provider = await startProvider();
    const oidc = { ...oidcClient, name: 'Example Club', issuer: provider.issuer, adminClaim: undefined };
    posted = await startGalleryWithMail(1, { oidc });
    root = await registerAdmin(posted.gallery, 'root');
  });
  after(async () => {
    await posted.close();
    await provider.close();
  });

  const getEmail = (who: Person) => `${who.name}@example.org`;

  /** Returns the subjects of all mails to a user, in the order in which they were written. */
  async function subjectsTo(who: Person): Promise<string[]> {
    await waitForMail(posted.gallery);
    const rows = await posted.gallery.deps.db.kysely
      .selectFrom('mails')
      .select(['id', 'status'])
      .where('receiver', '=', getEmail(who))
      .orderBy('id')
      .execute();
    assert.ok(rows.every(({ status }) => status === 'sent'));
    const letters = posted.server.sentTo(getEmail(who));
    assert.equal(letters.length, rows.length);
    return rows.map(({ id }) => {
      const { mail, raw } = letters.find((letter) => letter.mail.messageId!.startsWith(`<${id}.`))!;
      assert.match(mail.text!, new RegExp(`${who.name}.*The Smiths`, 's'));
      assert.match(mail.html!, /<html lang="(en|zh-CN)">/);
      assert.doesNotMatch(mail.text!, /http|[0-9a-f]{4}-[0-9a-f]{4}/, 'no link, and no code');
      assert.ok(!raw.includes(password));
      return mail.subject!;
    });
  }

  const createCode = (secret: string) => {
    posted.gallery.travel(60);
    const timestamp = posted.gallery.deps.clock() * 1000;
    return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp });
  };

  test('reports the second factor: on, new codes, a code used, off, also by an admin or a command', async () => {
    const who = await register(posted.gallery, 'factor');
    const switchOn = async () => {
      const { secret } = assertWritten(await who.post('/api/auth/totp', { password }));
      assertWritten(await who.post('/api/auth/totp/confirm', { code: createCode(secret) }));
    };
    await switchOn();
    const made = assertWritten(await who.post('/api/auth/totp/recovery-codes', { password }));
    const login = await asVisitor(posted.gallery).post('/api/auth/login', {
      username: who.name,
      password,
    });
    const code = made.recovery_codes[0];
    const { challenge } = login.body.data;
    assertWritten(await asVisitor(posted.gallery).post('/api/auth/login/second', { challenge, code }));
    assertDone(await remove(who, '/api/auth/totp', inChinese));
    assertDone(await remove(who, '/api/auth/totp'));
    await switchOn();
    assertWritten(await root.put(`/api/admin/users/${who.id}`, { end_factor: true }));
    assertWritten(await root.put(`/api/admin/users/${who.id}`, { end_factor: true }));
    await switchOn();
    await changeUser(posted.gallery.deps, commandLineActor, who.id, { end_factor: true });
    const [on, off] = [
      'Two-step verification for The Smiths ★ is on',
      'Two-step verification for The Smiths ★ is off',
    ];
    assert.deepEqual(await subjectsTo(who), [
      on,
      'New recovery codes for The Smiths ★',
      'A recovery code for The Smiths ★ was used',
      '您的 The Smiths ★ 账号已关闭两步验证',
      on,
      off,
      on,
      off,
    ]);
  });

  test('reports passkeys that are added and removed, and none that was refused', async () => {
    const who = await register(posted.gallery, 'keys');
    const authenticator = createAuthenticator(publicUrl);
    const options = assertWritten(await who.post('/api/auth/passkeys/options', { password }));
    const response = authenticator.create(options);
    const { id } = assertWritten(await who.post('/api/auth/passkeys', { name: 'Phone', response }));
    assert.equal((await who.post('/api/auth/passkeys', { name: 'Phone', response })).status, 400);
    assertDone(await who.delete(`/api/auth/passkeys/${id}`));
    assert.equal((await who.delete(`/api/auth/passkeys/${id}`)).status, 404);
    assert.deepEqual(await subjectsTo(who), [
      'A passkey was added to your account at The Smiths ★',
      'A passkey was removed from your account at The Smiths ★',
    ]);
  });

  test('reports a password that its owner, or an admin, has changed', async () => {
    const who = await register(posted.gallery, 'words');
    const change = { old_password: password, new_password: 'another one' };
    assertDone(await who.put('/api/auth/password', change));
    assert.equal((await who.put('/api/auth/password', change)).body.code, 10005);
    assertWritten(await root.put(`/api/admin/users/${who.id}`, { password: 'a third one' }));
    const subject = 'Your password for The Smiths ★ was changed';
    assert.deepEqual(await subjectsTo(who), [subject, subject]);
  });

  test('reports a provider that is linked and unlinked, but not for an account that it created', async () => {
    const { gallery } = posted;
    const who = await register(gallery, 'ties');
    const byEmail = await register(gallery, 'by-email');
    gallery.deps.config.baseUrl = gallery.url;
    provider.know(`${gallery.url}/api/auth/oidc/callback`);
    try {
      const link = '/api/auth/oidc/link';
      provider.signIn('t-1', { email: 'else@example.org' });
      const traveller = createCookieBrowser();
      const cookies = new Map([['lightwell_session', who.token!]]);
      traveller.jars.set(gallery.url, cookies);
      const begun = await fetch(gallery.url + link, {
        method: 'POST',
        headers: { ...json, cookie: `lightwell_session=${who.token}`, origin: gallery.url },
        body: JSON.stringify({ password }),
      });
      cookies.set('lightwell_oidc', /lightwell_oidc=([^;]+)/.exec(begun.headers.get('set-cookie')!)![1]!);
      const { data } = (await begun.json()) as { data: { url: string } };
      assert.equal(await traveller.travel(data.url, gallery.url), '/settings/security');
      assertDone(await remove(who, link, inChinese));
      assert.equal((await remove(who, link)).status, 404);

      const { kysely } = gallery.deps.db;
      await kysely.updateTable('users').set({ email_confirmed: 1 }).where('id', '=', byEmail.id).execute();
      provider.signIn('t-2', { email: getEmail(byEmail), email_verified: true });
      assert.equal(await createCookieBrowser().travel(`${gallery.url}/api/auth/oidc`, gallery.url), '/');
      provider.signIn('t-3', { email: 'fresh@example.org', preferred_username: 'fresh' });
      assert.equal(await createCookieBrowser().travel(`${gallery.url}/api/auth/oidc`, gallery.url), '/');
    } finally {
      gallery.deps.config.baseUrl = publicUrl;
    }
    const connected = 'A sign-in provider was connected to your account at The Smiths ★';
    assert.deepEqual(await subjectsTo(who), [connected, '您的 The Smiths ★ 账号已取消关联第三方登录']);
    for (let n = 0; n < 2; n++)
      assertWritten(await root.put(`/api/admin/users/${byEmail.id}`, { end_keys: true }));
    const ended = 'Other ways to sign in to The Smiths ★ were removed';
    assert.deepEqual(await subjectsTo(byEmail), [connected, ended]);
    assert.deepEqual(posted.server.sentTo('fresh@example.org'), []);
    assert.deepEqual(gallery.complaints(), []);
  });
});
