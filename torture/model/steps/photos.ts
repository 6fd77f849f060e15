/** Steps about photos: upload, change, move to the trash, like. */
import type { Level } from '../../../test/support/visibility-model/state.ts';
import { notify, retract } from '../notices.ts';
import type { Name, Notice, Photo, Rows, Visitor } from '../rows.ts';
import { clearCovers, mayManage, placedLevel, seesPhoto } from '../rules.ts';
import { type Chance, done, idOf, type Kind, type Outcome, refused, type Step } from './kind.ts';
import { drawLevel, findPlaceProblem, isRefusedWidening, putInto } from './placing.ts';

export const words = ['alpha', 'beta', 'gamma'];
const allTags = ['sea', 'hill', 'fog'];

const chooseOne = ({ any }: Chance) => {
  const it = any('photo');
  return it === undefined ? undefined : { it };
};

function texts({ random }: Chance) {
  return { title: random.pick(words), tags: allTags.filter(() => random.chance(0.4)) };
}

export function someAlbum({ random, own }: Chance): string | undefined {
  return random.chance(0.6) ? own('album') : undefined;
}

const upload: Kind = {
  does: 'upload',
  weight: 10,
  choose: (chance) => ({
    it: chance.fresh('photo'),
    ...texts(chance),
    level: drawLevel(chance.random, 0.6),
    into: someAlbum(chance),
  }),
  say: ({ by, it, title, tags, level, into }) =>
    `${by} uploads ${it}, ${level}, titled ${title}` +
    `${(tags as string[]).length > 0 ? `, tagged ${(tags as string[]).join(' ')}` : ''}${into ? `, into ${into}` : ''}`,
  happen(rows, { by, it, title, tags, level, into }) {
    const problem = findPlaceProblem(rows, by, into);
    if (problem) return problem;
    rows.photos.set(it, {
      label: it,
      owner: by as Name,
      title: title as string,
      tags: tags as string[],
      level: level as Level,
      album: into as string | undefined,
      position: rows.nextPosition++,
      isTrashed: false,
      likes: new Set(),
      favorites: new Set(),
      views: 0,
      downloads: 0,
      edits: [],
    });
    return done({ title });
  },
  send: (stage, who, { title, tags, level, into }) =>
    who.upload(stage.picture, {
      title: title as string,
      tags: (tags as string[]).join(','),
      visibility: level as Level,
      ...(into !== undefined && { album_id: String(idOf(stage, into)) }),
    }),
  keep(stage, { it }, { body }) {
    stage.ids.set(it, body.data.id);
    stage.images.set(it, body.data.thumb.split('?')[0]);
  },
};

export const update: Kind = {
  does: 'update photo',
  weight: 10,
  isOwners: true,
  choose(chance) {
    const one = chooseOne(chance);
    if (!one) return undefined;
    const { random } = chance;
    return {
      ...one,
      ...(random.chance(0.3) && texts(chance)),
      ...(random.chance(0.5) && { level: drawLevel(random, 0.4) }),
      ...(random.chance(0.5) && { into: someAlbum(chance) ?? 'none' }),
    };
  },
  say: ({ by, it, title, tags, level, into }) =>
    `${by} changes ${it}:${title === undefined ? '' : ` title ${title}, tags ${(tags as string[]).join(' ') || 'none'}`}` +
    `${level === undefined ? '' : ` ${level}`}${into === undefined ? '' : ` into ${into}`}`,
  happen(rows, { by, it, title, tags, level, into }) {
    const photo = rows.photos.get(it);
    if (!photo || photo.isTrashed) return refused(20003);
    if (!mayManage(by, photo)) return refused(20004);
    const problem = findPlaceProblem(rows, photo.owner, into);
    if (problem) return problem;
    const target = into === undefined ? photo.album : into === 'none' ? undefined : (into as string);
    const kept = target === photo.album ? photo.level : placedLevel(rows, photo);
    if (isRefusedWidening(by, photo, level, kept)) return refused(20004);
    if (title !== undefined) photo.title = title as string;
    if (tags !== undefined) photo.tags = tags as string[];
    putInto(rows, photo, target);
    photo.level = (level as Level | undefined) ?? kept;
    return done();
  },
  send: (stage, who, { it, title, tags, level, into }) =>
    who.put(`/api/photos/${idOf(stage, it)}`, {
      ...(title !== undefined && { title, tags }),
      ...(level !== undefined && { visibility: level }),
      ...(into !== undefined && { album_id: into === 'none' ? 0 : idOf(stage, into) }),
    }),
};

export const trash: Kind = {
  does: 'trash',
  weight: 6,
  isOwners: true,
  choose: chooseOne,
  say: ({ by, it }) => `${by} puts ${it} into the trash`,
  happen(rows, { by, it }) {
    const photo = rows.photos.get(it);
    if (!photo || photo.isTrashed) return refused(20003);
    if (!mayManage(by, photo)) return refused(20004);
    photo.isTrashed = true;
    return done();
  },
  send: (stage, who, { it }) => who.delete(`/api/photos/${idOf(stage, it)}`),
};

/**
 * Returns the refusal unless the photo is in the trash and `by` may manage it. Other people cannot see
 * trashed photos.
 */
function notInTrash(rows: Rows, { by, it }: Step): Outcome | undefined {
  const photo = rows.photos.get(it);
  if (!photo) return refused(20003);
  if (photo.isTrashed) return mayManage(by, photo) ? undefined : refused(20003);
  return refused(mayManage(by, photo) ? 20003 : 20004);
}

const chooseTrashed = (chance: Chance) => {
  const trashed = [...chance.rows.photos.values()].filter(({ isTrashed }) => isTrashed);
  return trashed.length > 0 && chance.random.chance(0.8)
    ? { it: chance.random.pick(trashed).label }
    : chooseOne(chance);
};

export const restore: Kind = {
  does: 'restore',
  weight: 5,
  isOwners: true,
  choose: chooseTrashed,
  say: ({ by, it }) => `${by} takes ${it} out of the trash`,
  happen(rows, step) {
    const problem = notInTrash(rows, step);
    if (problem) return problem;
    rows.photos.get(step.it)!.isTrashed = false;
    return done();
  },
  send: (stage, who, { it }) => who.post(`/api/photos/${idOf(stage, it)}/restore`),
};

export function purgeFrom(rows: Rows, label: string): void {
  rows.photos.delete(label);
  clearCovers(rows);
  retract(rows, ({ photo }) => photo === label);
  for (const [key, { photo }] of rows.comments) if (photo === label) rows.comments.delete(key);
  for (const [key, { target }] of rows.shares) if (target === label) rows.shares.delete(key);
}

const purge: Kind = {
  does: 'purge',
  weight: 2,
  isOwners: true,
  choose: chooseTrashed,
  say: ({ by, it }) => `${by} deletes ${it} for good`,
  happen(rows, step) {
    const problem = notInTrash(rows, step);
    if (problem) return problem;
    purgeFrom(rows, step.it);
    return done();
  },
  send: (stage, who, { it }) => who.delete(`/api/trash/${idOf(stage, it)}`),
};

function isLike(notice: Notice, about: Partial<Notice>): boolean {
  return notice.type === about.type && notice.actor === about.actor && notice.photo === about.photo;
}

/**
 * Chooses a photo for which the next reaction of `by` tests the grouping of notifications. Either the owner's
 * last and only unread notification is of `by`, or the owner has read all others.
 */
function readOfBefore({ rows, random }: Chance, by: Visitor, what: 'like' | 'favorite'): string | undefined {
  const told = Map.groupBy(
    rows.notices.filter(({ type }) => type === what),
    ({ photo }) => photo!,
  );
  const some = (isIt: (notices: Notice[], photo: Photo) => boolean) =>
    [...told].filter(([label, notices]) => isIt(notices, rows.photos.get(label)!)).map(([label]) => label);
  const backs = some(
    (all) => all.at(-1)!.actor === by && all.findIndex((one) => !one.isRead) === all.length - 1,
  );
  const more = some(
    (all, photo) =>
      all.every((one) => one.isRead && one.actor !== by) && seesPhoto(rows, by, photo) && photo.owner !== by,
  );
  const found = [...backs.filter((label) => told.get(label)!.length > 1), ...more];
  return found.length > 0 ? random.pick(found) : undefined;
}

/**
 * Returns the kind of step for a like or a favorite: a toggle or an explicit state. Removing is always
 * allowed.
 */
export function reaction(what: 'like' | 'favorite'): Kind {
  const names =
    what === 'like'
      ? (['likes', 'is_liked', 'liked'] as const)
      : (['favorites', 'is_favorited', 'favorited'] as const);
  const [count, flag, field] = names;
  return {
    does: what,
    weight: 7,
    choose(chance, by) {
      const told = chance.random.chance(0.7) ? readOfBefore(chance, by, what) : undefined;
      if (told !== undefined) return { it: told };
      const one = chooseOne(chance);
      return one && { ...one, ...(chance.random.chance(0.4) && { wanted: chance.random.chance(0.6) }) };
    },
    say: ({ by, it, wanted }) =>
      `${by} ${wanted === undefined ? `toggles a ${what} of` : wanted ? `sets a ${what} of` : `takes back a ${what} of`} ${it}`,
    happen(rows, { by, it, wanted }) {
      const photo = rows.photos.get(it);
      if (!photo || photo.isTrashed) return refused(20003);
      const name = by as Name;
      const isSeen = seesPhoto(rows, by, photo);
      const wasSet = photo[count].has(name);
      const isSet = (wanted as boolean | undefined) ?? !wasSet;
      if (!isSeen && !wasSet && isSet) return refused(20004);
      if (isSet) photo[count].add(name);
      else photo[count].delete(name);
      const about = { to: photo.owner, type: what, actor: name, photo: it } as const;
      if (isSet && !wasSet) notify(rows, about);
      if (!isSet) retract(rows, (notice) => isLike(notice, about));
      return done({ [flag]: isSet, [count]: isSeen ? photo[count].size : 0 });
    },
    send: (stage, who, { it, wanted }) =>
      who.post(
        `/api/photos/${idOf(stage, it)}/${what}`,
        wanted === undefined ? undefined : { [field]: wanted },
      ),
  };
}

const download: Kind = {
  does: 'download',
  weight: 2,
  choose: chooseOne,
  say: ({ by, it }) => `${by} downloads ${it}`,
  happen(rows, { by, it }) {
    const photo = rows.photos.get(it);
    if (!photo || photo.isTrashed) return refused(20003);
    if (!seesPhoto(rows, by, photo)) return refused(20004);
    photo.downloads++;
    return { code: 200 };
  },
  send: (stage, who, { it }) => who.get(`/api/photos/${idOf(stage, it)}/download`),
};

const wait: Kind = {
  does: 'wait',
  weight: 2,
  isOpen: true,
  choose: ({ random }) => ({ it: 'days', days: random.pick([1, 1, 2]) }),
  say: ({ days }) => `${days} days pass`,
  happen(rows, { days }) {
    rows.day += days as number;
    return { code: 200 };
  },
  send(stage, who, { days }) {
    stage.travel((days as number) * 86_400);
    return who.get('/health/live');
  },
};

export const reactions = [reaction('like'), reaction('favorite')];

export const photoSteps = [upload, update, trash, restore, purge, ...reactions, download, wait];
