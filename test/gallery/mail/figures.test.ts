/** Anyone can read `/metrics`, so its mail figures must not show whether an account exists. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { mailMetricNames as allFigures } from '../../../server/gallery/mail/signals.ts';
import { assertDone, assertWritten } from '../../support/assert-answers.ts';
import { type GalleryWithMail, startGalleryWithMail, waitForMail } from '../../support/mail.ts';
import { type Answer, asVisitor, password, register } from '../../support/people.ts';

let posted: GalleryWithMail;
let address = 0;

before(async () => {
  posted = await startGalleryWithMail(1);
});
after(() => posted.close());

/** Returns the metrics about mail. */
async function figures(): Promise<Record<string, number>> {
  const text = (await asVisitor(posted.gallery).get('/metrics')).bytes.toString();
  const lines = text.matchAll(/^lightwell_mail_(\S+) (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]));
}

const asked = 'attempts_total{outcome="asked"}';

/** Returns the changes of the metrics right after the request, and after all mail is handled. */
async function changes(ask: () => Promise<unknown>): Promise<Record<string, number>[]> {
  const before = await figures();
  const since = async () => {
    const now = Object.entries(await figures()).filter(([name, value]) => value !== before[name]);
    return Object.fromEntries(now.map(([name, value]) => [name, value - before[name]!]));
  };
  await ask();
  const meanwhile = await since();
  await waitForMail(posted.gallery);
  return [meanwhile, await since()];
}

const wait = () => new Promise<number>((answer) => setTimeout(() => answer(250), 300));
const looks: [string, () => number | Promise<number>][] = [
  ['the mail server takes it', () => 250],
  ['it is slow', wait],
  ['it is out of order', () => 451],
  ['it refuses the mailbox', () => 550],
];

test('the metrics of mail do not reveal who has an account, whatever the mail server does', async () => {
  for (const [n, [when, answer]] of looks.entries()) {
    const known = await register(posted.gallery, `known${n}`);
    const asker = await register(posted.gallery, `asker${n}`);
    posted.server.answer = answer;
    const forgot = async (email: string) => assertDone(await askForPassword(email));
    const move = async (email: string) =>
      assertWritten(await asker.put('/api/auth/email', { email, password }));
    for (const ask of [forgot, move]) {
      for (const email of [`${known.name}@example.org`, `nobody-${known.name}@example.org`])
        assert.deepEqual(
          await changes(() => ask(email)),
          [{ [asked]: 1 }, { [asked]: 1 }],
          `${when}: ${email}`,
        );
    }
  }
});

/** Requests a password link from another IP address each time, so that no rate limit applies. */
function askForPassword(email: string): Promise<Answer> {
  return asVisitor(posted.gallery).send('POST', '/api/auth/forgot', {
    body: JSON.stringify({ email }),
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `198.18.3.${++address}` },
  });
}

test('the documentation says what each outcome of the figures means', () => {
  const pages = readFileSync(new URL('../../../docs/administration.md', import.meta.url), 'utf8');
  for (const outcome of allFigures) assert.ok(pages.includes(`\n- \`${outcome}\`: `), outcome);
});
