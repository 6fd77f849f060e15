/** Asserts rules that must always hold for albums and their photos, by counting rows. */
import assert from 'node:assert/strict';
import type { Gallery } from './harness.ts';

/** Returns the visibility of something with these levels along its albums: 1 private, 2 public, 3 members. */
function narrowest(levels: number[]): number {
  if (levels.includes(0)) return 1;
  return levels.includes(2) ? 3 : 2;
}

export async function assertAlbumsConsistent({ deps }: Pick<Gallery, 'deps'>): Promise<void> {
  const { kysely } = deps.db;
  const albums = await kysely.selectFrom('albums').selectAll().execute();
  const photos = await kysely.selectFrom('photos').selectAll().execute();
  const rows = await kysely.selectFrom('album_photos').selectAll().execute();
  const tags = await kysely.selectFrom('photo_tags').selectAll().execute();
  const totals = await kysely.selectFrom('photo_totals').selectAll().execute();
  const users = await kysely.selectFrom('users').select(['id', 'status']).execute();
  // Asserts that no account's photos are waiting to be hidden or shown.
  const waiting = await kysely
    .selectFrom('visibility_jobs')
    .select('id')
    .where('kind', '=', 'account')
    .execute();
  assert.deepEqual(waiting, []);
  // Photos of an account that is being deleted keep their visibility until their rows are deleted.
  const enabled = new Set(users.filter(({ status }) => status !== 0).map(({ id }) => id));
  const byId = new Map(albums.map((album) => [album.id, album]));

  for (const album of albums) {
    const line = albumAndAncestors(album.id);
    assert.ok(line.length <= 8, `album ${album.id} lies on level ${line.length}`);
    const visibility = enabled.has(album.user_id) ? narrowest(line.map(({ level }) => level)) : 1;
    assert.equal(album.visibility, visibility, `visibility of album ${album.id}`);
    const own = rows.filter(({ album_id }) => album_id === album.id);
    assert.equal(new Set(own.map(({ position }) => position)).size, own.length);
    if (album.cover_id === null) continue;
    const holders = rows.filter(({ photo_id }) => photo_id === album.cover_id);
    assert.ok(
      holders.some(({ album_id }) => albumAndAncestors(album_id).includes(album)),
      `the cover of album ${album.id} is not in it`,
    );
  }
  for (const { photo_id, album_id, visibility, create_time } of rows) {
    const photo = photos.find(({ id }) => id === photo_id)!;
    assert.deepEqual([visibility, create_time], [photo.visibility, photo.create_time], `photo ${photo_id}`);
    assert.equal(byId.get(album_id)!.user_id, photo.user_id, 'an album contains photos of its owner');
  }
  for (const photo of photos) {
    const isContained = rows.some(
      ({ photo_id, album_id }) => photo_id === photo.id && album_id === photo.album_id,
    );
    assert.equal(isContained, photo.album_id !== null, `photo ${photo.id} in its main album`);
    const album = photo.album_id === null ? undefined : byId.get(photo.album_id)!;
    assert.ok(!album || album.user_id === photo.user_id, 'an album holds photos of its owner');
    const isOwnerEnabled = enabled.has(photo.user_id);
    const levels = [photo, ...(album ? albumAndAncestors(album.id) : [])].map(({ level }) => level);
    const shown = isOwnerEnabled ? narrowest(levels) : 1;
    assert.equal(photo.visibility, photo.delete_time === null ? shown : 0, `visibility of photo ${photo.id}`);
    for (const tag of tags.filter(({ photo_id }) => photo_id === photo.id)) {
      assert.equal(tag.visibility, photo.visibility);
    }
  }
  for (const { user_id, visibility, n } of totals) {
    const counted = photos.filter(
      (photo) => photo.visibility === visibility && (user_id === 0 || photo.user_id === user_id),
    );
    assert.equal(n, counted.length, `total of user ${user_id}, visibility ${visibility}`);
  }

  /** Returns the album and all albums above it. Fails if the albums form a cycle. */
  function albumAndAncestors(id: number): typeof albums {
    const line: typeof albums = [];
    for (let at = byId.get(id); at; at = at.parent_id === null ? undefined : byId.get(at.parent_id)) {
      assert.ok(!line.includes(at), `album ${id} contains itself`);
      line.push(at);
    }
    return line;
  }
}

/** Waits until no visibility job is left, so that the search index is up to date. */
export async function waitForSearchIndex({ deps }: Pick<Gallery, 'deps'>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const left = await deps.db.kysely.selectFrom('visibility_jobs').select('id').execute();
    if (left.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail('jobs were left in visibility_jobs');
}
