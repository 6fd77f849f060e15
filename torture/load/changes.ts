/**
 * Changes that users make to existing photos, albums and comments. Each change picks a value that no other
 * change is using.
 */
import assert from 'node:assert/strict';
import sharp from 'sharp';
import { Level, type LevelName } from '../../server/platform/db/states.ts';
import type { Person } from '../../test/support/people.ts';
import type { Random } from '../../test/support/random.ts';
import {
  change,
  isSure,
  type KnownValue,
  knownValue,
  type Ledger,
  levels,
  nameLevel,
  note,
  type PhotoEntry,
  type Step,
  settle,
} from './ledger.ts';
import { randomStep, sizeAfter } from './steps.ts';

/** The user who makes a change, and the source of random choices. */
export interface Doer {
  ledger: Ledger;
  /** Index of the user in `ledger.users`. */
  me: number;
  /** The same user as a client of the server under test. */
  person: Person;
  random: Random;
  /** Returns a text that no other photo, comment or album has. */
  newText(): string;
}

const maxSteps = 5;
const widths = [320, 640, 960, 1280];

export async function edit({ ledger, me, person, random }: Doer): Promise<void> {
  const photo = pickOwn(ledger, me, random, ({ steps }) => isSure(steps));
  if (!photo) return;
  const now = photo.steps.is;
  const path = `/api/photos/${photo.id}`;
  const step = randomStep(random, sizeAfter(photo.file, now));
  const another: Step[] = [randomStep(random, photo.file)];
  const [what, next, ask] =
    now.length >= maxSteps || (now.length > 0 && random.chance(0.15))
      ? (['reverts', [], () => person.post(`${path}/revert`, {})] as const)
      : random.chance(0.2)
        ? (['histories', another, () => person.put(`${path}/edits`, { steps: another })] as const)
        : (['edits', [...now, step], () => person.post(`${path}/edit`, step)] as const);
  const { status, body } = await change(ledger, what, [photo.steps, [...next]], ask);
  if (status !== 200) return;
  photo.path = body.data.path;
  const size = sizeAfter(photo.file, photo.steps.is);
  if (body.data.width !== size.width || body.data.height !== size.height)
    ledger.wrong.push(`photo ${photo.id}, ${what}: ${body.data.width}x${body.data.height} was answered`);
}

/** Moves a photo into the trash, out of it, or purges it. */
export async function move({ ledger, me, person, random }: Doer): Promise<void> {
  const photo = random.pick(
    ledger.photos.filter(({ owner, place }) => owner === me && isSure(place) && place.is !== 'gone'),
  );
  if (!photo) return;
  const [what, next, ask] =
    photo.place.is === 'shown'
      ? (['deletions', 'trash', () => person.delete(`/api/photos/${photo.id}`)] as const)
      : random.chance(0.5)
        ? (['restores', 'shown', () => person.post(`/api/photos/${photo.id}/restore`)] as const)
        : (['purges', 'gone', () => person.delete(`/api/trash/${photo.id}`)] as const);
  await change(ledger, what, [photo.place, next], ask);
}

export async function describePhoto({ ledger, me, person, random, newText }: Doer): Promise<void> {
  const photo = pickOwn(ledger, me, random, () => true);
  if (!photo) return;
  const put = (field: object) => person.put(`/api/photos/${photo.id}`, field);
  const { level, title, tags } = photo;
  const tag = (): string => `tag ${random.below(8)}`;
  if (random.chance(0.25)) return changeAlbumOfPhoto({ ledger, me, person, random }, photo);
  const kinds: [string, KnownValue<unknown>, string, () => unknown][] = [
    ['publishings', level, 'visibility', () => anotherLevel(level.is, random)],
    ['titles', title, 'title', newText],
    ['tags', tags, 'tags', () => [...new Set([tag(), tag(), tag()])]],
  ];
  const [what, field, name, next] = random.pick(kinds);
  if (!isSure(field)) return;
  const value = next();
  const given = field === level ? nameLevel(value as Level) : value;
  await change(ledger, what, [field, value], () => put({ [name]: given }));
}

function anotherLevel(level: Level, random: Random): Level {
  return random.pick(levels.filter((other) => other !== level))!;
}

/**
 * Moves a photo to another album. A photo that leaves a narrower album keeps the level that counted there, and another
 * worker may change the album meanwhile. The photo's level is therefore unsure during the request, and read afterwards.
 */
async function changeAlbumOfPhoto(
  { ledger, me, person, random }: Omit<Doer, 'newText'>,
  photo: PhotoEntry,
): Promise<void> {
  const { id, level, album } = photo;
  if (!isSure(album) || !isSure(level)) return;
  const next = anAlbum(ledger, me, random);
  level.perhaps = levels.filter((other) => isNarrower(other, level.is));
  const path = `/api/photos/${id}`;
  const { status } = await change(ledger, 'album changes', [album, next], () =>
    person.put(path, { album_id: next }),
  );
  if (status >= 500) return;
  const { status: found, body } = await person.get(path);
  if (found === 200 && !settle(level, Level[body.data.visibility as LevelName]))
    ledger.wrong.push(`photo ${id} became ${body.data.visibility} when it left an album`);
}

function isNarrower(one: Level, other: Level): boolean {
  const fromNarrow: Level[] = [Level.private, Level.members, Level.public];
  return fromNarrow.indexOf(one) < fromNarrow.indexOf(other);
}

/** Likes or favorites anybody's photo, mostly with an explicit state, sometimes as a toggle. */
export async function like({ ledger, me, person, random }: Doer): Promise<void> {
  const photo = random.pick(ledger.photos.filter(({ place }) => place.is === 'shown'));
  const kind = random.pick(['like', 'favorite'] as const);
  const told = photo?.[`${kind}s`][me];
  if (!told || !isSure(told)) return;
  const isToggle = random.chance(0.3);
  const next = isToggle ? !told.is : random.chance(0.6);
  const field = { [`${kind}d`]: next };
  const answer = await change(ledger, `${kind}s`, [told, next], () =>
    person.post(`/api/photos/${photo.id}/${kind}`, isToggle ? undefined : field),
  );
  if (answer.status === 200 && answer.body.data[`is_${kind}d`] !== next)
    ledger.wrong.push(`${kind} of photo ${photo.id}: ${JSON.stringify(answer.body.data)} instead of ${next}`);
}

export async function comment({ ledger, me, person, random, newText }: Doer): Promise<void> {
  const own = ledger.comments.filter(({ author, content }) => author === me && isSure(content));
  const old = random.pick(own.filter(({ content }) => content.is !== null));
  if (old && random.chance(0.5)) {
    const path = `/api/comments/${old.id}`;
    const next = random.chance(0.5) ? newText() : null;
    const ask = () => (next === null ? person.delete(path) : person.put(path, { content: next }));
    await change(ledger, 'changes of comments', [old.content, next], ask);
    return;
  }
  const photo = random.pick(ledger.photos.filter(({ place }) => place.is === 'shown'));
  if (!photo) return;
  const unsure = { photo, author: me, content: newText() };
  ledger.unsureComments.push(unsure);
  const answer = await person.post(`/api/photos/${photo.id}/comments`, { content: unsure.content });
  note(ledger, 'comments', answer);
  if (answer.status >= 500) return;
  ledger.unsureComments = ledger.unsureComments.filter((one) => one !== unsure);
  if (answer.status === 200) {
    ledger.comments.push({ id: answer.body.data.id, photo, author: me, content: knownValue(unsure.content) });
  }
}

/** Creates an album, or hides, shows or renames one. */
export async function changeAlbum({ ledger, me, person, random, newText }: Doer): Promise<void> {
  const own = ledger.albums.filter(({ owner }) => owner === me);
  if (own.length < 3) {
    const unsure = { owner: me, name: newText(), level: random.pick(levels)! };
    ledger.unsureAlbums.push(unsure);
    const answer = await person.post('/api/albums', {
      name: unsure.name,
      visibility: nameLevel(unsure.level),
    });
    note(ledger, 'albums', answer);
    if (answer.status >= 500) return;
    ledger.unsureAlbums = ledger.unsureAlbums.filter((one) => one !== unsure);
    if (answer.status !== 200) return;
    const { name, level } = unsure;
    ledger.albums.push({
      id: answer.body.data.id,
      owner: me,
      name: knownValue(name),
      level: knownValue(level),
    });
    return;
  }
  const { id, name, level } = random.pick(own);
  const next = anotherLevel(level.is, random);
  const [field, value, body]: [KnownValue<unknown>, unknown, object] = random.chance(0.5)
    ? [level, next, { visibility: nameLevel(next) }]
    : ((text) => [name, text, { name: text }])(newText());
  if (!isSure(field)) return;
  await change(ledger, 'changes of albums', [field, value], () => person.put(`/api/albums/${id}`, body));
}

/** Requests a size of the user's own photo, rendered on demand, and checks the picture. */
export async function askForSize({ ledger, me, person, random }: Doer): Promise<void> {
  const photo = pickOwn(ledger, me, random, () => true);
  if (!photo) return;
  const { status, body } = await person.get(`/api/photos/${photo.id}`);
  if (status !== 200) return;
  const width = random.pick(widths);
  const path = body.data.image.replace(/w\{width\}\.\w+/, `w${width}.${random.pick(['webp', 'jpg'])}`);
  const answer = await person.get(path);
  note(ledger, 'sizes', answer);
  if (answer.status !== 200) return;
  try {
    const found = await sharp(answer.bytes).metadata();
    assert.ok(found.width! <= Math.max(width, 1) && found.width! > 0, `${found.width} px wide`);
    await sharp(answer.bytes).stats();
  } catch (error) {
    ledger.wrong.push(`${path}: ${(error as Error).message}`);
  }
}

function pickOwn(
  ledger: Ledger,
  me: number,
  random: Random,
  isFit: (photo: PhotoEntry) => boolean,
): PhotoEntry | undefined {
  return random.pick(
    ledger.photos.filter((photo) => photo.owner === me && photo.place.is === 'shown' && isFit(photo)),
  );
}

function anAlbum(ledger: Ledger, me: number, random: Random): number {
  return random.pick([0, ...ledger.albums.filter(({ owner }) => owner === me).map(({ id }) => id)]);
}
