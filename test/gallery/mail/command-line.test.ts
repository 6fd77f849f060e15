/** Tests mail that is caused by commands of the command line. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createEnvironment, runCommand } from '../../support/command.ts';
import { type GalleryWithMail, publicUrl, startGalleryWithMail } from '../../support/mail.ts';

let posted: GalleryWithMail;

before(async () => {
  posted = await startGalleryWithMail(3);
});
after(() => posted.close());

test('an invite of the command line is written in the language that is asked for', async () => {
  const { config } = posted.gallery.deps;
  const { url, from } = config.mail!;
  const environment = { ...createEnvironment(config), SMTP_URL: url, MAIL_FROM: from, BASE_URL: publicUrl };
  const invite = (email: string, ...more: string[]) =>
    runCommand(environment, ['user', 'invite', '--email', email, ...more]);
  for (const [email, options, language] of [
    ['fern@example.org', [], 'en'],
    ['hua@example.org', ['--language', 'zh'], 'zh-CN'],
  ] as const) {
    const { code, error } = await invite(email, ...options);
    assert.equal(code, 0, error);
    const letter = await posted.server.latest(email);
    assert.match(letter.mail.html!, new RegExp(`<html lang="${language}">`));
  }
  const wrong = await invite('hua@example.org', '--language', 'de');
  assert.equal(wrong.code, 1);
  assert.match(wrong.error, /Allowed choices are en, zh\./);
});
