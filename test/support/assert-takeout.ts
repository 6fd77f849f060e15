/** Asserts that a generated Takeout has arrived whole: each photo once, with what its JSON says, in all its albums. */
import assert from 'node:assert/strict';
import { listAllPages, readAlbums, readPhotos } from './import-folders.ts';
import type { Person } from './people.ts';
import { summerInRome, type Takeout } from './takeout.ts';

const listTitles = (photos: { title: string }[]) => photos.map(({ title }) => title).sort();

export async function assertTakeoutArrived(person: Person, takeout: Takeout): Promise<void> {
  const photos = await readPhotos(person);
  assert.deepEqual(listTitles(photos), takeout.titles, 'none lost, none twice');
  assert.ok(photos.every(({ visibility }) => visibility === 'private'));
  assert.deepEqual(
    listTitles(photos.filter(({ is_favorited }) => is_favorited)),
    takeout.favorites.toSorted(),
  );
  assert.deepEqual(
    listTitles(photos.filter(({ tags }) => tags.includes('archive'))),
    takeout.archived.toSorted(),
  );
  for (const photo of photos.filter(({ title }) => !title.endsWith('_other'))) {
    assert.equal(photo.taken_time, summerInRome, photo.title);
    assert.match(photo.description, /^About /, photo.title);
    assert.deepEqual(photo.location, { latitude: 41.9, longitude: 12.5 }, photo.title);
  }
  const albums = await readAlbums(person);
  assert.deepEqual(albums.map(({ name }) => name).sort(), [...takeout.albums.keys()].sort());
  for (const { id, name } of albums) {
    assert.deepEqual(
      listTitles(await listAllPages(person, `/api/albums/${id}/photos`)),
      takeout.albums.get(name),
    );
  }
  assert.deepEqual(listTitles(await listAllPages(person, '/api/trash')), takeout.trashed.toSorted());
}

/** Compares the rows of a receipt, by the path of the file and its outcome, with the files of the Takeout. */
export function assertEachFileOnce(
  rows: (readonly [file: string, outcome: string])[],
  takeout: Takeout,
): void {
  assert.deepEqual(rows.map(([file]) => file).sort(), takeout.files.toSorted(), 'each file once');
  const refused = rows.filter(([, outcome]) => outcome === 'refused');
  assert.deepEqual(refused.map(([file]) => file).sort(), takeout.refused.toSorted());
}
