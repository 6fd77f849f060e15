/** Checks copies of a photo's data: the rows of its tags, and its entry in the search index. */
import type { Deps } from '../../deps.ts';
import { lockPhoto } from '../../gallery/library/locks.ts';
import { indexPhoto } from '../../gallery/library/search-index.ts';
import { buildSearchTexts } from '../../gallery/library/search-text.ts';
import { replaceTags } from '../../gallery/library/tags.ts';
import { yieldPagesByColumn } from '../../platform/db/pages.ts';
import { Visibility } from '../../platform/db/states.ts';
import type { PhotoRow } from '../../platform/db/tables.ts';
import type { CheckContext, FindingKind } from './findings.ts';

const pageSize = 250;

type Photo = Pick<
  PhotoRow,
  | 'id'
  | 'user_id'
  | 'visibility'
  | 'create_time'
  | 'title'
  | 'description'
  | 'tags'
  | 'file_name'
  | 'place_names'
>;

export async function checkPhotoTags(round: CheckContext): Promise<void> {
  round.progress.begin('tags');
  await checkPhotos(round, photosToCheck(round.deps), 'tags-differ', findWrongTags, repairTags);
}

export async function checkSearch(round: CheckContext): Promise<void> {
  round.progress.begin('the search index');
  // Photos with a visibility job are left out, because every search finds them whatever their index entry says.
  const settled = photosToCheck(round.deps).where('id', 'not in', (moves) =>
    moves.selectFrom('visibility_jobs').select('id').where('kind', '=', 'photo'),
  );
  await checkPhotos(round, settled, 'search-differs', findWrongEntries, repairEntry);
}

function photosToCheck({ db }: Deps) {
  return db
    .slow()
    .selectFrom('photos')
    .select([
      'id',
      'user_id',
      'visibility',
      'create_time',
      'title',
      'description',
      'tags',
      'file_name',
      'place_names',
    ]);
}

async function checkPhotos(
  { deps, progress, report }: CheckContext,
  all: ReturnType<typeof photosToCheck>,
  kind: FindingKind,
  findWrong: (deps: Deps, photos: Photo[]) => Promise<Photo[]>,
  repair: (deps: Deps, id: number) => Promise<boolean>,
): Promise<void> {
  for await (const photos of yieldPagesByColumn(all, 'id', 'id', 0, pageSize)) {
    progress.step(photos.length);
    const suspects = (await findWrong(deps, photos)).map(({ id }) => id);
    if (suspects.length === 0) continue;
    // Each suspect is read a second time, because the photo may have changed between the two queries.
    const again = await all.where('id', 'in', suspects).execute();
    for (const { id } of again.length > 0 ? await findWrong(deps, again) : []) {
      await report({ kind, subject: `photo ${id}`, detail: '', repair: () => repair(deps, id) });
    }
  }
}

async function findWrongTags({ db }: Deps, photos: Photo[]): Promise<Photo[]> {
  const ids = photos.map(({ id }) => id);
  const rows = await db
    .slow()
    .selectFrom('photo_tags')
    .selectAll()
    .where('photo_id', 'in', ids)
    .orderBy('photo_id')
    .orderBy('position')
    .execute();
  const byPhoto = Map.groupBy(rows, ({ photo_id }) => photo_id);
  return photos.filter(({ id, user_id, visibility, create_time, tags }) => {
    const own = byPhoto.get(id) ?? [];
    const isRight =
      JSON.stringify(own.map(({ name }) => name)) === JSON.stringify(JSON.parse(tags)) &&
      own.every(
        (row) => row.user_id === user_id && row.visibility === visibility && row.create_time === create_time,
      );
    return !isRight;
  });
}

function repairTags({ db }: Deps, id: number): Promise<boolean> {
  return db.kysely.transaction().execute(async (transaction) => {
    const photo = await lockPhoto(transaction, id);
    if (!photo) return false;
    await replaceTags(db, transaction, photo, JSON.parse(photo.tags) as string[]);
    return true;
  });
}

/**
 * Returns the photos whose search index entry is missing, duplicated or wrong. A photo outside the trash has exactly
 * one entry, with its own visibility.
 */
async function findWrongEntries({ db }: Deps, photos: Photo[]): Promise<Photo[]> {
  const entries = Map.groupBy(await db.search.findEntries(db.slow(), photos), ({ photoId }) => photoId);
  return photos.filter((photo) => {
    const [entry, ...more] = entries.get(photo.id) ?? [];
    if (!entry || photo.visibility === Visibility.trash)
      return entry !== undefined || photo.visibility !== Visibility.trash;
    const { text, ownText } = buildSearchTexts({ ...photo, tags: JSON.parse(photo.tags) as string[] });
    const isOutdated =
      (entry.text ?? text) !== text || (entry.ownText === undefined ? ownText : entry.ownText) !== ownText;
    return more.length > 0 || entry.visibility !== photo.visibility || isOutdated;
  });
}

function repairEntry(deps: Deps, id: number): Promise<boolean> {
  return deps.db.kysely.transaction().execute(async (transaction) => {
    await indexPhoto(deps, transaction, id);
    return true;
  });
}
