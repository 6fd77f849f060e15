/** Mail is in the language of its receiver, which may differ from the sender's language. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertWritten } from '../../support/assert-answers.ts';
import { type GalleryWithMail, startGalleryWithMail } from '../../support/mail.ts';
import { asVisitor, type Person, password, register, registerAdmin } from '../../support/people.ts';

describe('the language of mail', () => {
  let posted: GalleryWithMail;
  let root: Person;

  before(async () => {
    posted = await startGalleryWithMail();
    root = await registerAdmin(posted.gallery, 'root');
  });
  after(() => posted.close());

  const post = (path: string, language: string, body: object) =>
    asVisitor(posted.gallery).send('POST', path, {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', 'Accept-Language': language },
    });
  const signIn = async (username: string, language: string) =>
    assertWritten(await post('/api/auth/login', language, { username, password }));
  /**
   * Requests a password link, and returns the newest mail to this email address, after the first `before`
   * mails.
   */
  const letterTo = async (email: string, language: string, before = 0) => {
    assertDone(await post('/api/auth/forgot', language, { email }));
    return (await posted.server.latest(email, before)).mail;
  };

  test('is that of the sender, where the receiver’s is unknown', async () => {
    await register(posted.gallery, 'person1');
    const mail = await letterTo('person1@example.org', 'zh-CN,zh;q=0.9');
    assert.equal(mail.subject, '重设您的 The Smiths ★ 密码');
    assert.match(mail.text!, /person1，您好/);
    assert.match(mail.html!, /<html lang="zh-CN">/);
  });

  test('is that in which the receiver last signed in, whoever sent', async () => {
    const { id } = await register(posted.gallery, 'person2');
    const email = 'person2@example.org';
    await signIn('person2', 'zh-CN,zh;q=0.9');
    assert.equal((await letterTo(email, 'en')).subject, '重设您的 The Smiths ★ 密码');
    await signIn('person2', 'fr');
    assert.match((await letterTo(email, 'en', 1)).html!, /<html lang="zh-CN">/, 'no other one is known');
    // An admin with an English browser sets the user's password, and the notice is in the user's language.
    assertWritten(await root.put(`/api/admin/users/${id}`, { password: 'half dome 1927' }));
    const told = (await posted.server.latest(email, 2)).mail;
    assert.match(told.html!, /<html lang="zh-CN">/);
    assertWritten(await root.put(`/api/admin/users/${id}`, { password }));
    await signIn('person2', 'en');
    assert.match((await letterTo(email, 'zh', 4)).html!, /<html lang="en">/);
  });
});
