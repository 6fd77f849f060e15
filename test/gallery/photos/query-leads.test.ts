/** What reads of a query begin with: the condition with the fewest entries in its index, if these are few. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { readFilter } from '../../../server/gallery/photos/list/filter.ts';
import { findLeads } from '../../../server/gallery/photos/query/lead.ts';
import { bounded } from '../../../server/platform/db/dialect.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, type Person, register } from '../../support/people.ts';
import { jpeg } from '../../support/pictures.ts';

const entries = (n: number) => sql`WITH RECURSIVE numbers (i) AS
  (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${sql.lit(n)}) SELECT i FROM numbers`;

describe('what a query begins with', () => {
  let gallery: Gallery;
  let ann: Person;
  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    const picture = await jpeg({ width: 16, height: 16 });
    await addPhoto(ann, { title: 'Alps', tags: 'snow,alps' }, picture);
    await addPhoto(ann, { title: 'Sea', tags: 'snow' }, picture);
  });
  after(() => gallery.close());

  test('is the fewest, and nothing where all are many', async () => {
    const reader = gallery.deps.db.slow(bounded);
    const many = { lead: 'owner', entries: entries(10_001) } as const;
    const few = { lead: 'album', entries: entries(10_000) } as const;
    assert.deepEqual(await findLeads(reader, [[many, few], [many], []]), [{ lead: 'album' }, {}, {}]);
    assert.deepEqual(await findLeads(reader, []), []);
  });

  test('are words, too, where all are many, or they are the fewest', async () => {
    const reader = gallery.deps.db.slow(bounded);
    const words = { kind: 'words', text: 'alps' } as const;
    const camera = { kind: 'camera', text: 'leica' } as const;
    const some = { lead: words, entries: entries(10) };
    const many = { lead: words, entries: entries(10_001) };
    const cameras = { lead: camera, entries: entries(10_001), isFirst: true };
    const few = { lead: 'album', entries: entries(5) } as const;
    assert.deepEqual(await findLeads(reader, [[some], [many], [many, cameras], [some, few]]), [
      { lead: words, words },
      { words },
      { lead: camera, words },
      { lead: 'album' },
    ]);
  });

  test('are words that nothing else is beside, uncounted where all that is found is read', async () => {
    const reader = gallery.deps.db.slow(bounded);
    const words = { kind: 'words', text: 'alps' } as const;
    const unread = sql`SELECT no_column FROM photos`;
    const late = { lead: words, entries: unread, isLate: true };
    const few = { lead: 'album', entries: entries(5) } as const;
    assert.deepEqual(await findLeads(reader, [[late], [few, late]], true), [{ words }, { lead: 'album' }]);
    await assert.rejects(findLeads(reader, [[late]], false));
  });

  test('is found for each branch of a list', async () => {
    const viewer = { id: ann.id, isAdmin: false, sessionId: 0 };
    const leadsOf = async (q: string) => {
      const asked = { q, sort: 'create_time', order: 'desc', page: 1, limit: 1 } as const;
      return (await readFilter(gallery.deps, viewer, asked)).branches.map(({ lead }) => lead);
    };
    const alps = { kind: 'tag', text: 'alps' };
    // Of the private ones there are none: the first condition is as good as the others.
    assert.deepEqual(await leadsOf('tag:snow tag:alps iso:>=800'), [alps, 'owner']);
    assert.deepEqual(await leadsOf('iso:>=800'), [undefined, 'owner']);
    assert.deepEqual(await leadsOf('-tag:alps shape:square'), [undefined, 'owner']);
  });
});
