/** Steps about an album: made, hidden, moved, filled, put in order, deleted. */
import type { Album, Name, Rows } from '../rows.ts';
import { albumOf, heightOf, isInside, maxLevels, mayManage, pathTo } from '../rules.ts';
import { type Chance, done, idOf, type Kind, type Outcome, refused, type Step } from './kind.ts';
import { putInto } from './photos.ts';

const chooseOne = ({ any }: Chance) => {
  const it = any('album');
  return it === undefined ? undefined : { it };
};

function parent({ random, any }: Chance): string | undefined {
  return random.chance(0.6) ? any('album') : undefined;
}

/** The owner, in what they make, or in what an admin changes. */
function problemOf(rows: Rows, owner: Name, label: unknown): Outcome | undefined {
  if (label === undefined || label === 'none') return undefined;
  const found = rows.albums.get(label as string);
  if (!found) return refused(30001);
  return found.owner === owner ? undefined : refused(30002);
}

const make: Kind = {
  does: 'make album',
  weight: 6,
  choose: (chance) => ({
    it: chance.fresh('album'),
    isPublic: chance.random.chance(0.7),
    into: parent(chance),
  }),
  say: ({ by, it, isPublic, into }) =>
    `${by} makes ${it}, ${isPublic ? 'public' : 'private'}${into ? `, in ${into}` : ''}`,
  happen(rows, { by, it, isPublic, into }) {
    const owner = by as Name;
    const problem = problemOf(rows, owner, into);
    if (problem) return problem;
    if (pathTo(rows, albumOf(rows, into as string | undefined)).length >= maxLevels) return refused(30003);
    rows.albums.set(it, {
      label: it,
      owner,
      name: it,
      isPublic: isPublic as boolean,
      parent: into as string | undefined,
    });
    return done({ name: it });
  },
  send: (stage, who, { it, isPublic, into }) =>
    who.post('/api/albums', {
      name: it,
      is_public: Number(isPublic),
      ...(into !== undefined && { parent_id: idOf(stage, into) }),
    }),
  keep: (stage, { it }, { body }) => stage.ids.set(it, body.data.id),
};

const update: Kind = {
  does: 'update album',
  weight: 9,
  choose(chance) {
    const one = chooseOne(chance);
    if (!one) return undefined;
    const { random } = chance;
    return {
      ...one,
      ...(random.chance(0.7) && { isPublic: random.chance(0.5) }),
      ...(random.chance(0.5) && { into: parent(chance) ?? 'none' }),
    };
  },
  say: ({ by, it, isPublic, into }) =>
    `${by} changes ${it}:${isPublic === undefined ? '' : isPublic ? ' public' : ' private'}` +
    `${into === undefined ? '' : ` into ${into}`}`,
  happen(rows, { by, it, isPublic, into }) {
    const album = rows.albums.get(it);
    if (!album) return refused(30001);
    if (!mayManage(by, album)) return refused(30002);
    const target = into === 'none' ? undefined : (into as string | undefined);
    if (into !== undefined && target !== album.parent) {
      const problem = problemOf(rows, album.owner, target) ?? nestingProblem(rows, album, target);
      if (problem) return problem;
    }
    if (into !== undefined) album.parent = target;
    if (isPublic !== undefined) album.isPublic = isPublic as boolean;
    return done();
  },
  send: (stage, who, { it, isPublic, into }) =>
    who.put(`/api/albums/${idOf(stage, it)}`, {
      ...(isPublic !== undefined && { is_public: Number(isPublic) }),
      ...(into !== undefined && { parent_id: into === 'none' ? 0 : idOf(stage, into) }),
    }),
};

function nestingProblem(rows: Rows, album: Album, target: string | undefined): Outcome | undefined {
  const above = albumOf(rows, target);
  const isTooDeep = pathTo(rows, above).length + heightOf(rows, album) > maxLevels;
  return isInside(rows, above, album) || isTooDeep ? refused(30003) : undefined;
}

const remove: Kind = {
  does: 'delete album',
  weight: 4,
  choose: chooseOne,
  say: ({ by, it }) => `${by} deletes ${it}`,
  happen(rows, { by, it }) {
    const album = rows.albums.get(it);
    if (!album) return refused(30001);
    if (!mayManage(by, album)) return refused(30002);
    rows.albums.delete(it);
    for (const photo of rows.photos.values()) if (photo.album === it) photo.album = undefined;
    for (const other of rows.albums.values()) if (other.parent === it) other.parent = album.parent;
    for (const [key, { target }] of rows.shares) if (target === it) rows.shares.delete(key);
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

/** The labels that are refused, with their codes, and what is done with the others. */
function fill(rows: Rows, { by, it, ids }: Step, isIn: boolean): Outcome {
  const album = rows.albums.get(it);
  if (!album) return refused(30001);
  if (!mayManage(by, album)) return refused(30002);
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
    weight: isIn ? 6 : 3,
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
      const labelOf = (id: number) => labels.find((label) => idOf(stage, label) === id);
      const { success, failed } = answer.body.data;
      answer.body.data = {
        success: success.map(labelOf),
        failed: failed.map(({ id, code }: { id: number; code: number }) => `${labelOf(id)}: ${code}`),
      };
      return answer;
    },
  };
}

const order: Kind = {
  does: 'order album',
  weight: 2,
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

export const albumSteps = [make, update, remove, filling(true), filling(false), order];
