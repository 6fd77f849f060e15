/** Steps about albums: create, hide, move, fill, sort, delete. */
import { isWider } from '../../../test/support/visibility-model/levels.ts';
import type { Level } from '../../../test/support/visibility-model/state.ts';
import { type Album, type Name, type Rows, type Rule, rules } from '../rows.ts';
import {
  albumLevel,
  clearCovers,
  computeHeight,
  findAlbum,
  isInside,
  lineLevel,
  maxLevels,
  mayManage,
  pathTo,
} from '../rules.ts';
import { type Chance, done, idOf, type Kind, type Outcome, refused, type Step } from './kind.ts';
import { drawLevel, findPlaceProblem, isRefusedWidening, putInto } from './placing.ts';

const chooseOne = ({ any }: Chance) => {
  const it = any('album');
  return it === undefined ? undefined : { it };
};

function parent({ random, rows, own }: Chance): string | undefined {
  const found = random.chance(0.7) ? own('album') : undefined;
  const isSmart = found !== undefined && rows.albums.get(found)?.rule !== undefined;
  return isSmart && random.chance(0.8) ? undefined : found;
}

/** Chooses a target, mostly one that changes the album's visibility to others. */
function elsewhere(chance: Chance, it: string): string {
  const { random, rows } = chance;
  const album = rows.albums.get(it);
  if (!album || random.chance(0.4)) return parent(chance) ?? 'none';
  const seenBy = albumLevel(rows, album);
  const places = [...rows.albums.values()]
    .filter((other) => other.owner === album.owner && !other.rule && !isInside(rows, other, album))
    .filter((other) => albumLevel(rows, other) !== seenBy)
    .map(({ label }) => label);
  return random.pick(places.length > 0 ? places : ['none']);
}

const make: Kind = {
  does: 'make album',
  weight: 7,
  choose: (chance) => ({
    it: chance.fresh('album'),
    level: drawLevel(chance.random, 0.6),
    into: parent(chance),
    ...(chance.random.chance(0.2) && { rule: chance.random.pick(rules) }),
  }),
  say: ({ by, it, level, into, rule }) =>
    `${by} makes ${it}, ${level}${into ? `, in ${into}` : ''}${rule ? `, of what ${rule} finds` : ''}`,
  happen(rows, { by, it, level, into, rule }) {
    const owner = by as Name;
    const problem = findPlaceProblem(rows, owner, into);
    if (problem) return problem;
    if (pathTo(rows, findAlbum(rows, into as string | undefined)).length >= maxLevels) return refused(30003);
    rows.albums.set(it, {
      label: it,
      owner,
      name: it,
      level: level as Level,
      parent: into as string | undefined,
      cover: undefined,
      rule: rule as Rule | undefined,
    });
    return done({ name: it });
  },
  send: (stage, who, { it, level, into, rule }) =>
    who.post('/api/albums', {
      name: it,
      rule,
      visibility: level,
      ...(into !== undefined && { parent_id: idOf(stage, into) }),
    }),
  keep: (stage, { it }, { body }) => stage.ids.set(it, body.data.id),
};

const update: Kind = {
  does: 'update album',
  weight: 16,
  isOwners: true,
  choose(chance) {
    const one = chooseOne(chance);
    if (!one) return undefined;
    const { random } = chance;
    const what = random.pick(['sight', 'place', 'both']);
    return {
      ...one,
      ...(what !== 'place' && { level: drawLevel(random, 0.4) }),
      ...(what !== 'sight' && { into: elsewhere(chance, one.it) }),
    };
  },
  say: ({ by, it, level, into }) =>
    `${by} changes ${it}:${level === undefined ? '' : ` ${level}`}` +
    `${into === undefined ? '' : ` into ${into}`}`,
  happen(rows, { by, it, level, into }) {
    const album = rows.albums.get(it);
    if (!album) return refused(30001);
    if (!mayManage(by, album)) return refused(30002);
    const target = into === 'none' ? undefined : (into as string | undefined);
    if (into !== undefined && target !== album.parent) {
      const problem = findPlaceProblem(rows, album.owner, target) ?? nestingProblem(rows, album, target);
      if (problem) return problem;
    }
    const isLeaving = into !== undefined && album.parent !== undefined && target !== album.parent;
    const kept = isLeaving ? lineLevel(rows, album) : album.level;
    if (isRefusedWidening(by, album, level, kept)) return refused(30002);
    album.level = (level as Level | undefined) ?? kept;
    if (into !== undefined) album.parent = target;
    clearCovers(rows);
    return done();
  },
  send: (stage, who, { it, level, into }) =>
    who.put(`/api/albums/${idOf(stage, it)}`, {
      ...(level !== undefined && { visibility: level }),
      ...(into !== undefined && { parent_id: into === 'none' ? 0 : idOf(stage, into) }),
    }),
};

function nestingProblem(rows: Rows, album: Album, target: string | undefined): Outcome | undefined {
  const above = findAlbum(rows, target);
  const isTooDeep = pathTo(rows, above).length + computeHeight(rows, album) > maxLevels;
  return isInside(rows, above, album) || isTooDeep ? refused(30003) : undefined;
}

const remove: Kind = {
  does: 'delete album',
  weight: 5,
  isOwners: true,
  /** Chooses mostly a private album with sub-albums, which move up when it is deleted. */
  choose(chance) {
    const { random, rows } = chance;
    const inner = [...rows.albums.values()].filter((album) => findAlbum(rows, album.parent));
    const hidden = inner.filter((album) => isWider(album.level, lineLevel(rows, album)));
    const some = hidden.length > 0 ? hidden : inner;
    return some.length > 0 && random.chance(0.7) ? { it: random.pick(some).parent! } : chooseOne(chance);
  },
  say: ({ by, it }) => `${by} deletes ${it}`,
  happen(rows, { by, it }) {
    const album = rows.albums.get(it);
    if (!album) return refused(30001);
    if (!mayManage(by, album)) return refused(30002);
    for (const photo of rows.photos.values()) if (photo.album === it) putInto(rows, photo, undefined);
    for (const other of rows.albums.values()) {
      if (other.parent !== it) continue;
      other.level = lineLevel(rows, other);
      other.parent = album.parent;
    }
    rows.albums.delete(it);
    for (const [key, { target }] of rows.shares) if (target === it) rows.shares.delete(key);
    clearCovers(rows);
    return done();
  },
  send: (stage, who, { it }) => who.delete(`/api/albums/${idOf(stage, it)}`),
};

function chooseFilling(chance: Chance) {
  const one = chooseOne(chance);
  const labels = Array.from({ length: 1 + chance.random.below(4) }, () => chance.any('photo'));
  const ids = [...new Set(labels)].filter((label) => label !== undefined);
  return one && ids.length > 0 ? { ...one, ids } : undefined;
}

/** Adds or removes photos. Returns the refused labels with their codes. */
function fill(rows: Rows, { by, it, ids }: Step, isIn: boolean): Outcome {
  const album = rows.albums.get(it);
  if (!album) return refused(30001);
  if (!mayManage(by, album)) return refused(30002);
  if (album.rule) return refused(30004);
  const success: string[] = [];
  const failed: string[] = [];
  for (const label of ids as string[]) {
    const photo = rows.photos.get(label);
    const isThere = photo && !photo.isTrashed && (isIn || photo.album === it);
    const code = !isThere ? 20003 : isIn && photo.owner !== album.owner ? 20004 : 0;
    if (code === 0) {
      putInto(rows, photo!, isIn ? it : undefined);
      success.push(label);
    } else failed.push(`${label}: ${code}`);
  }
  return done({ success, failed });
}

function filling(isIn: boolean): Kind {
  return {
    does: isIn ? 'add to album' : 'take from album',
    weight: isIn ? 8 : 3,
    isOwners: true,
    choose: chooseFilling,
    say: ({ by, it, ids }) =>
      `${by} ${isIn ? 'adds' : 'takes'} ${(ids as string[]).join(', ')} ${isIn ? 'to' : 'out of'} ${it}`,
    happen: (rows, step) => fill(rows, step, isIn),
    async send(stage, who, { it, ids }) {
      const labels = ids as string[];
      const answer = await who.send(isIn ? 'POST' : 'DELETE', `/api/albums/${idOf(stage, it)}/photos`, {
        body: JSON.stringify({ ids: labels.map((label) => idOf(stage, label)) }),
        headers: { 'content-type': 'application/json' },
      });
      if (answer.body.code !== 0) return answer;
      const findLabel = (id: number) => labels.find((label) => idOf(stage, label) === id);
      const { success, failed } = answer.body.data;
      answer.body.data = {
        success: success.map(findLabel),
        failed: failed.map(({ id, code }: { id: number; code: number }) => `${findLabel(id)}: ${code}`),
      };
      return answer;
    },
  };
}

const order: Kind = {
  does: 'order album',
  weight: 2,
  isOwners: true,
  choose(chance) {
    const one = chooseOne(chance);
    if (!one) return undefined;
    const inIt = [...chance.rows.photos.values()].filter(
      ({ album, isTrashed }) => album === one.it && !isTrashed,
    );
    const ids = inIt.map(({ label }) => label).filter(() => chance.random.chance(0.7));
    return ids.length > 1 ? { ...one, ids: ids.reverse() } : undefined;
  },
  say: ({ by, it, ids }) => `${by} puts ${it} in order: ${(ids as string[]).join(', ')}`,
  happen(rows, { by, it, ids }) {
    const album = rows.albums.get(it);
    if (!album) return refused(30001);
    if (!mayManage(by, album)) return refused(30002);
    if (album.rule) return refused(30004);
    const photos = (ids as string[]).map((label) => rows.photos.get(label));
    if (photos.some((photo) => !photo || photo.isTrashed || photo.album !== it)) return refused(400);
    const places = photos.map((photo) => photo!.position).sort((one, other) => one - other);
    for (const [index, photo] of photos.entries()) photo!.position = places[index]!;
    return done();
  },
  send: (stage, who, { it, ids }) =>
    who.put(`/api/albums/${idOf(stage, it)}/order`, {
      ids: (ids as string[]).map((label) => idOf(stage, label)),
    }),
};

const setCover: Kind = {
  does: 'set cover',
  weight: 6,
  isOwners: true,
  choose(chance) {
    const { random, rows, own, any } = chance;
    const photo = own('photo');
    // Chooses the album from those above the photo.
    const above = pathTo(
      rows,
      findAlbum(rows, photo === undefined ? undefined : rows.photos.get(photo)?.album),
    );
    if (photo && above.length > 0 && random.chance(0.8)) return { it: random.pick(above).label, photo };
    const one = chooseOne(chance);
    return one && { ...one, photo: random.chance(0.3) ? 'none' : (any('photo') ?? 'none') };
  },
  say: ({ by, it, photo }) => `${by} puts ${photo} on the cover of ${it}`,
  happen(rows, { by, it, photo: label }) {
    const album = rows.albums.get(it);
    if (!album) return refused(30001);
    if (!mayManage(by, album)) return refused(30002);
    const photo = label === 'none' ? undefined : rows.photos.get(label as string);
    const isIn = photo && !photo.isTrashed && isInside(rows, findAlbum(rows, photo.album), album);
    if (label !== 'none' && (album.rule || !isIn)) return refused(400);
    album.cover = photo?.label;
    return done();
  },
  send: (stage, who, { it, photo }) =>
    who.put(`/api/albums/${idOf(stage, it)}`, { cover_id: photo === 'none' ? 0 : idOf(stage, photo) }),
};

const setRule: Kind = {
  does: 'set rule',
  weight: 1,
  isOwners: true,
  choose(chance) {
    const one = chooseOne(chance);
    return one && { ...one, rule: chance.random.pick(rules) };
  },
  say: ({ by, it, rule }) => `${by} gives ${it} the rule ${rule}`,
  happen(rows, { by, it, rule }) {
    const album = rows.albums.get(it);
    if (!album) return refused(30001);
    if (!mayManage(by, album)) return refused(30002);
    if (!album.rule) return refused(400);
    album.rule = rule as Rule;
    return done();
  },
  send: (stage, who, { it, rule }) => who.put(`/api/albums/${idOf(stage, it)}`, { rule }),
};

export const albumSteps = [make, update, remove, filling(true), filling(false), order, setCover, setRule];
