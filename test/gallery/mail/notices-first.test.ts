/** Security notices about an account are sent before mails with links. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMailing } from '../../../server/gallery/mail/dispatcher.ts';
import { queueMail } from '../../../server/gallery/mail/outbox.ts';
import type { MailKind } from '../../../server/platform/db/tables.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { startGallery } from '../../support/harness.ts';

test('security messages are sent before links that anybody may request', async () => {
  const gallery = await startGallery();
  const { deps } = gallery;
  try {
    deps.config.mail = { url: 'smtp://127.0.0.1:9', from: 'gallery@example.org' };
    const kinds: MailKind[] = [...Array.from({ length: 12 }, () => 'reset' as const), 'password_changed'];
    await deps.db.kysely.transaction().execute(async (transaction) => {
      for (const [n, kind] of kinds.entries())
        await queueMail(deps, transaction, { kind, receiver: `r${n}@example.org`, language: 'en' });
    });
    const sent: string[] = [];
    const letter = (to: string) => ({ to, subject: '', text: '', html: '' });
    const compose = async (_: unknown, row: { kind: MailKind; receiver: string }) => {
      sent.push(row.kind);
      return letter(row.receiver) as never;
    };
    const stop = startMailing(deps, compose, async () => ({ error: '', isFinal: true }));
    await eventually(async () => assert.equal(sent.length, 13));
    await stop();
    assert.equal(sent.indexOf('password_changed') < 4, true, sent.join(' '));
  } finally {
    await gallery.close();
  }
});
