/** Stored totals must equal the counted rows, also after simultaneous changes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRead } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

let gallery: Gallery;
let people: Person[];
let admin: Person;
let picture: Buffer;

before(async () => {
  gallery = await startGallery();
  people = [await register(gallery, 'ann'), await register(gallery, 'bea'), await register(gallery, 'cyd')];
  admin = await registerAdmin(gallery, 'admin');
  picture = await createJpeg({ width: 16, height: 16 });
});
after(() => gallery.close());

test('uploads, changes, deletions and likes of many at once leave every total exact', async () => {
  const makeAlbums = (visibility: 'private' | 'members') =>
    Promise.all(people.map((person) => addAlbum(person, 'Album', { visibility })));
  const albums = [await makeAlbums('private'), await makeAlbums('members')];
  for (let round = 0; round < 3; round++) {
    const photos = await Promise.all(
      people.flatMap((person) =>
        ['private', 'public', 'members'].map((visibility) => addPhoto(person, { visibility }, picture)),
      ),
    );
    const answers = await Promise.all(
      photos.flatMap(({ id }, n) => {
        const owner = people[Math.floor(n / 3)]!;
        const moderator = n % 2 ? owner : admin;
        return [
          owner.put(`/api/photos/${id}`, { is_public: n % 2 }),
          owner.put(`/api/photos/${id}`, { visibility: ['public', 'members', 'private'][(n + round) % 3] }),
          moderator.put(`/api/photos/${id}`, { is_public: (n + 1) % 2, tags: ['raced'] }),
          owner.put(`/api/photos/${id}`, { album_id: albums[n % 3]?.[Math.floor(n / 3)] ?? null }),
          ...people.map((person) => person.post(`/api/photos/${id}/like`)),
          ...(n % 3 === round
            ? [owner.delete(`/api/photos/${id}`), moderator.delete(`/api/photos/${id}`)]
            : []),
          owner.upload(picture, { title: `again ${n}`, visibility: n % 2 ? 'public' : 'members' }),
        ];
      }),
    );
    for (const { status, body } of answers) {
      assert.ok([0, 20003, 20004].includes(body.code), `${status}: ${JSON.stringify(body)}`);
    }
    await assertTotals();
  }
  assert.deepEqual(gallery.complaints(), []);
});

/** Returns the visibility of a photo outside the trash, from its level and the level of its album, which is at the top. */
function expectedVisibility({ level, album_level }: { level: number; album_level: number | null }): number {
  const levels = [level, album_level ?? 1];
  if (levels.includes(0)) return 1;
  return levels.includes(2) ? 3 : 2;
}

/** Asserts the totals by counting rows, which the server never does for these lists. */
async function assertTotals(): Promise<void> {
  const photos = await gallery.deps.db.kysely
    .selectFrom('photos')
    .innerJoin('photo_counts', 'photo_counts.photo_id', 'photos.id')
    .leftJoin('albums', 'albums.id', 'photos.album_id')
    .select([
      'photos.id',
      'photos.user_id',
      'photos.visibility',
      'photos.level',
      'photo_counts.likes',
      'photos.delete_time',
    ])
    .select('albums.level as album_level')
    .execute();
  const likes = await gallery.deps.db.kysely.selectFrom('likes').select('photo_id').execute();
  for (const photo of photos) {
    assert.equal(photo.visibility, photo.delete_time === null ? expectedVisibility(photo) : 0);
    assert.equal(photo.likes, likes.filter(({ photo_id }) => photo_id === photo.id).length);
  }
  const totalFor = async (who: Person, query = '') =>
    assertRead(await who.get(`/api/photos?${query}`)).pagination.total;
  const open = photos.filter(({ visibility }) => visibility === 2);
  const forMembers = photos.filter(({ visibility }) => visibility === 3);
  const kept = photos.filter(({ visibility }) => visibility > 0);
  assert.ok(forMembers.length > 0);
  const shown = [...open, ...forMembers];
  assert.equal(await totalFor(asVisitor(gallery)), open.length);
  assert.equal(await totalFor(admin), shown.length, 'the wall of an admin holds what members see');
  for (const person of people) {
    const own = kept.filter(({ user_id }) => user_id === person.id);
    const others = shown.filter(({ user_id }) => user_id !== person.id);
    assert.equal(await totalFor(person), own.length + others.length);
    assert.equal(await totalFor(person, `user_id=${person.id}`), own.length);
    for (const [who, visible] of [
      [asVisitor(gallery), open],
      [admin, shown],
    ] as const) {
      const ofPerson = visible.filter(({ user_id }) => user_id === person.id);
      assert.equal(await totalFor(who, `user_id=${person.id}`), ofPerson.length);
    }
    const { stats } = assertRead(await person.get('/api/auth/user'));
    assert.equal(stats.photos, own.length);
    assert.equal(
      stats.likes,
      own.reduce((sum, photo) => sum + photo.likes, 0),
    );
  }
}
