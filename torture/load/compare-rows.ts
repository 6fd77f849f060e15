/** Compares every row of photos, edits, reactions, comments and albums with the ledger. */
import type { Deps } from '../../server/deps.ts';
import { Visibility } from '../../server/platform/db/states.ts';
import type { Faults } from './faults.ts';
import {
  describe,
  isSame,
  type KnownValue,
  knownValue,
  type Ledger,
  type PhotoEntry,
  settle,
} from './ledger.ts';
import { sizeAfter } from './steps.ts';
import { createEntry } from './uploads.ts';

type Rows = Awaited<ReturnType<typeof readRows>>;

export async function compareRows(deps: Deps, ledger: Ledger, faults: Faults): Promise<void> {
  const rows = await readRows(deps);
  adoptUploads(rows, ledger, faults);
  adoptAlbums(rows, ledger, faults);
  for (const photo of ledger.photos) comparePhoto(rows, ledger, faults, photo);
  compareComments(rows, ledger, faults);
  for (const { id, name, level } of ledger.albums) {
    const row = rows.albums.find((album) => album.id === id);
    if (!row) faults.lost.push(`album ${id} (${describe(name)})`);
    compare(faults, `the name of album ${id}`, name, row?.name ?? name.is);
    compare(faults, `the level of album ${id}`, level, row?.level ?? level.is);
  }
}

async function readRows({ db: { kysely } }: Deps) {
  return {
    photos: await kysely.selectFrom('photos').selectAll().execute(),
    edits: await kysely.selectFrom('edits').selectAll().orderBy('id').execute(),
    likes: await kysely.selectFrom('likes').selectAll().execute(),
    favorites: await kysely.selectFrom('favorites').selectAll().execute(),
    comments: await kysely.selectFrom('comments').selectAll().execute(),
    albums: await kysely.selectFrom('albums').selectAll().execute(),
  };
}

/** Uploads without an answer must have become photos completely, or not at all. */
function adoptUploads({ photos }: Rows, ledger: Ledger, faults: Faults): void {
  const known = new Set(ledger.photos.map(({ id }) => id));
  for (const { id, title } of photos.filter((row) => !known.has(row.id))) {
    const upload = ledger.unsureUploads.find((one) => one.title === title);
    if (upload) ledger.photos.push(createEntry(ledger, upload, { id, path: '' }));
    else faults.appeared.push(`photo ${id}, ${title}`);
  }
  const titles = new Set(photos.map(({ title }) => title));
  // Unanswered resumable uploads stay in the ledger, because they can continue.
  ledger.unsureUploads = ledger.unsureUploads.filter(
    ({ title, resumable }) => resumable && !titles.has(title),
  );
}

function adoptAlbums({ albums }: Rows, ledger: Ledger, faults: Faults): void {
  for (const { id, name } of albums) {
    if (ledger.albums.some((album) => album.id === id)) continue;
    const unsure = ledger.unsureAlbums.find((one) => one.name === name);
    if (!unsure) faults.appeared.push(`album ${id}, ${name}`);
    else {
      const { owner, level } = unsure;
      ledger.albums.push({ id, owner, name: knownValue(name), level: knownValue(level) });
    }
  }
  ledger.unsureAlbums = [];
}

function comparePhoto(rows: Rows, ledger: Ledger, faults: Faults, photo: PhotoEntry): void {
  const { id, file, place, steps, level, title, tags, album } = photo;
  const row = rows.photos.find((one) => one.id === id);
  const found = !row ? 'gone' : row.visibility === Visibility.trash ? 'trash' : 'shown';
  const was = describe(place);
  if (!settle(place, found)) {
    const kind = found === 'gone' ? faults.lost : place.is === 'gone' ? faults.appeared : faults.changed;
    kind.push(`photo ${id} is ${found}: ${was}`);
  }
  if (!row) return;
  const edits = rows.edits.filter(({ photo_id }) => photo_id === id);
  const history = edits.map(({ action, params }) => ({ action, params: JSON.parse(params) }));
  compare(faults, `the edits of photo ${id}`, steps, history);
  compare(faults, `the level of photo ${id}`, level, row.level);
  compare(faults, `the title of photo ${id}`, title, row.title);
  compare(faults, `the tags of photo ${id}`, tags, JSON.parse(row.tags));
  compare(faults, `the album of photo ${id}`, album, row.album_id ?? 0);
  for (const kind of ['likes', 'favorites'] as const) {
    const users = new Set(rows[kind].filter(({ photo_id }) => photo_id === id).map(({ user_id }) => user_id));
    for (const [index, told] of photo[kind].entries()) {
      const { id: user, name } = ledger.users[index]!;
      compare(faults, `${name}'s of the ${kind} of photo ${id}`, told, users.has(user));
    }
  }
  const { width, height } = sizeAfter(file, steps.is);
  if (!isSame([row.width, row.height, row.sha256], [width, height, file.sha256]))
    faults.changed.push(`photo ${id} is ${row.width}x${row.height} of ${row.sha256}, not ${width}x${height}`);
}

function compareComments({ comments }: Rows, ledger: Ledger, faults: Faults): void {
  for (const { id, photo, content } of ledger.comments) {
    if (photo.place.is === 'gone') continue;
    const row = comments.find((one) => one.id === id);
    compare(faults, `comment ${id} on photo ${photo.id}`, content, row?.content ?? null);
  }
  const known = new Set(ledger.comments.map(({ id }) => id));
  for (const { id, content } of comments.filter((row) => !known.has(row.id))) {
    const unsure = ledger.unsureComments.find((one) => one.content === content);
    if (unsure)
      ledger.comments.push({ id, photo: unsure.photo, author: unsure.author, content: knownValue(content) });
    else faults.appeared.push(`comment ${id}, ${content}`);
  }
  ledger.unsureComments = [];
}

function compare<Value>(faults: Faults, what: string, value: KnownValue<Value>, found: Value): void {
  const was = describe(value);
  if (!settle(value, found)) faults.changed.push(`${what} is ${JSON.stringify(found)}: ${was}`);
}
