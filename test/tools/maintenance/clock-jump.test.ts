/** Tests that a clock that jumps ahead deletes nothing for good: what falls due across the jump waits for a day. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createOneTimeLink } from '../../../server/gallery/accounts/links.ts';
import { advanceObservedTime, type ObservedTime } from '../../../server/platform/db/observed-time.ts';
import { countRows } from '../../../server/platform/db/rows.ts';
import { runScheduledMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { assertRead, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, type Person, register, registerAdmin } from '../../support/people.ts';

const hour = 3600;
const day = 86_400;

describe('the clock of a server', () => {
  let gallery: Gallery;
  let admin: Person;
  let ann: Person;

  before(async () => {
    gallery = await startGallery();
    admin = await registerAdmin(gallery, 'admin');
    ann = await register(gallery, 'ann');
  });
  after(() => gallery.close());

  const count = (table: 'photos' | 'sessions' | 'links' | 'shares' | 'removals') =>
    countRows(gallery.deps.db.kysely.selectFrom(table));
  const showJump = async () => assertRead(await admin.get('/api/admin/stats')).clock_jump;

  /** Runs the maintenance of every hour for some hours. */
  async function passHours(hours: number): Promise<void> {
    for (let passed = 0; passed < hours; passed++) {
      gallery.travel(hour);
      await runScheduledMaintenance(gallery.deps);
    }
  }

  test('that is forty days ahead for a minute deletes nothing, and the overview says so', async () => {
    const photo = await addPhoto(ann, {});
    const shared = await addPhoto(ann, {});
    assertWritten(await ann.post(`/api/photos/${shared.id}/share`, { type: 'link', expires_in: day }));
    await ann.send('DELETE', `/api/photos/${photo.id}`);
    await createOneTimeLink(gallery.deps, gallery.deps.db.kysely, {
      kind: 'reset',
      user_id: ann.id,
      expire_time: gallery.deps.clock() + hour,
    });
    await passHours(2);
    assert.equal(await showJump(), null);
    const before = [
      await count('photos'),
      await count('sessions'),
      await count('links'),
      await count('shares'),
    ];

    gallery.travel(40 * day);
    await runScheduledMaintenance(gallery.deps);
    await passHours(3);
    const afterJump = [
      await count('photos'),
      await count('sessions'),
      await count('links'),
      await count('shares'),
    ];
    assert.deepEqual(afterJump, before);
    gallery.travel(-40 * day);
    assert.equal((await ann.post(`/api/photos/${photo.id}/restore`, {})).status, 200);
    await runScheduledMaintenance(gallery.deps);
    assert.equal(await showJump(), null);
  });

  test('that jumped to the right time deletes what is due after a day of running time', async () => {
    const photo = await addPhoto(ann, {});
    await ann.send('DELETE', `/api/photos/${photo.id}`);
    await passHours(1);
    const photos = await count('photos');
    // The servers were off for forty days.
    gallery.travel(40 * day);
    await runScheduledMaintenance(gallery.deps);
    const admin = await registerAdmin(gallery, 'later');
    const { clock_jump: jump } = assertRead(await admin.get('/api/admin/stats'));
    const seconds = (Date.parse(`${jump.to}Z`) - Date.parse(`${jump.from}Z`)) / 1000;
    // Slow machines see a few real seconds pass.
    assert.ok(seconds >= 40 * day && seconds < 40 * day + 60, String(seconds));
    await passHours(22);
    assert.equal(await count('photos'), photos);
    await passHours(3);
    assert.equal(await count('photos'), photos - 1);
    assert.equal(assertRead(await admin.get('/api/admin/stats')).clock_jump, null);
  });

  test('that runs normally empties the trash on the thirtieth day without delay', async () => {
    const bob = await register(gallery, 'bob');
    const photo = await addPhoto(bob, {});
    await bob.send('DELETE', `/api/photos/${photo.id}`);
    const { deps } = gallery;
    await deps.db.kysely
      .updateTable('photos')
      .set({ delete_time: deps.clock() - 30 * day + 1800 })
      .where('id', '=', photo.id)
      .execute();
    const photos = await count('photos');
    await passHours(1);
    assert.equal(await count('photos'), photos - 1);
  });
});

const start = 1_000_000_000;
const jumped: ObservedTime = {
  time: start + 40 * day,
  jump: { from: start, to: start + 40 * day, waited: 0 },
};
const jumpTo = (from: number, to: number, waited = 0, time = to): ObservedTime => ({
  time,
  jump: { from, to, waited },
});

for (const [title, earlier, now, observed] of [
  ['an hour is no jump', { time: start }, start + hour, { time: start + hour }],
  ['a day is no jump', { time: start }, start + day, { time: start + day }],
  ['a day and a second is a jump', { time: start }, start + day + 1, jumpTo(start, start + day + 1)],
  ['ten years are a jump', { time: start }, start + 3650 * day, jumpTo(start, start + 3650 * day)],
  ['a clock that goes back is no jump', { time: start }, start - 90 * day, { time: start - 90 * day }],
  [
    'an hour after a jump counts',
    jumped,
    jumped.time + hour,
    jumpTo(start, jumped.time, hour, jumped.time + hour),
  ],
  [
    'hours without a running server count as two at most',
    jumped,
    jumped.time + 20 * hour,
    jumpTo(start, jumped.time, 2 * hour, jumped.time + 20 * hour),
  ],
  [
    'a day of running time ends the wait',
    jumpTo(start, jumped.time, 23 * hour, jumped.time + 23 * hour),
    jumped.time + day,
    { time: jumped.time + day },
  ],
  ['a corrected clock ends the wait', jumped, start + hour, { time: start + hour }],
  [
    'a clock that is only half corrected waits from the beginning',
    jumped,
    start + 20 * day,
    jumpTo(start, start + 20 * day),
  ],
  ['a second jump waits from the first', jumped, start + 80 * day, jumpTo(start, start + 80 * day)],
  [
    'a second server that is a minute behind changes nothing',
    jumped,
    jumped.time - 60,
    jumpTo(start, jumped.time, 0, jumped.time - 60),
  ],
] as const) {
  test(`${title} for the record of the time`, () => {
    assert.deepEqual(advanceObservedTime(earlier, now), observed);
  });
}

test('two servers of which one is weeks ahead delete nothing in either order', () => {
  let observed: ObservedTime = { time: start };
  for (let hours = 1; hours < 100; hours++) {
    observed = advanceObservedTime(observed, start + hours * hour + 30 * day);
    assert.ok((observed.jump?.from ?? Number.POSITIVE_INFINITY) <= start + hours * hour, `hour ${hours}`);
    observed = advanceObservedTime(observed, start + hours * hour + 60);
    assert.equal(observed.jump, undefined);
  }
});
