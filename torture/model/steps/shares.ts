/** Steps about share links: create, change, open with and without password, revoke. */
import type { Name, Rows, Share } from '../rows.ts';
import { canSharePhoto, mayManage, seesAlbum, showsSomething } from '../rules.ts';
import { albumPhotosFor } from '../visible-rows.ts';
import { type Chance, done, idOf, type Kind, type Outcome, refused, type Stage, type Step } from './kind.ts';

const chooseOne = ({ any }: Chance) => {
  const it = any('share');
  return it === undefined ? undefined : { it };
};

function drawRules({ random }: Chance) {
  return {
    ...(random.chance(0.4) && { password: random.pick(['blue heron', 'red kite']) }),
    ...(random.chance(0.4) && { maxViews: 1 + random.below(3) }),
    ...(random.chance(0.4) && { expires: 1 + random.below(4) }),
  };
}

const sayRules = ({ password, maxViews, expires }: Step) =>
  `${password ? `, password ${password}` : ''}${maxViews ? `, for ${maxViews} views` : ''}${expires ? `, for ${expires} days` : ''}`;

const make: Kind = {
  does: 'share',
  weight: 4,
  choose(chance) {
    const { random, rows, any } = chance;
    const smart = [...rows.albums.values()].filter(({ rule }) => rule !== undefined);
    const isSmart = smart.length > 0 && random.chance(0.25);
    const target = isSmart ? random.pick(smart).label : any(random.chance(0.6) ? 'photo' : 'album');
    if (target === undefined) return undefined;
    return { it: chance.fresh('share'), target, ...drawRules(chance) };
  },
  say: (step) => `${step.by} shares ${step.target} as ${step.it}${sayRules(step)}`,
  happen(rows, { by, it, target: label, password, maxViews, expires }) {
    const target = label as string;
    const kind = target.startsWith('photo') ? 'photo' : 'album';
    const problem = kind === 'photo' ? photoProblem(rows, by, target) : albumProblem(rows, by, target);
    if (problem) return problem;
    rows.shares.set(it, {
      label: it,
      owner: by as Name,
      kind,
      target,
      password: password as string | undefined,
      maxViews: maxViews as number | undefined,
      views: 0,
      expires: expires === undefined ? undefined : rows.day + (expires as number),
    });
    return done();
  },
  send: (stage, who, { target, password, maxViews, expires }) =>
    who.post(`/api/${(target as string).split(' ')[0]}s/${idOf(stage, target)}/share`, {
      type: 'link',
      password,
      max_views: maxViews,
      expires,
    }),
  keep(stage, { it }, { body }) {
    stage.ids.set(it, body.data.id);
    stage.tokens.set(it, body.data.url.split('/').at(-1));
  },
};

function photoProblem(rows: Rows, by: Step['by'], label: string): Outcome | undefined {
  const photo = rows.photos.get(label);
  if (!photo || photo.isTrashed) return refused(20003);
  return canSharePhoto(rows, by, photo) ? undefined : refused(20004);
}

function albumProblem(rows: Rows, by: Step['by'], label: string): Outcome | undefined {
  const album = rows.albums.get(label);
  if (!album) return refused(30001);
  return seesAlbum(rows, by, album) && mayManage(by, album) ? undefined : refused(30002);
}

function ownShare(rows: Rows, { by, it }: Step): Outcome | undefined {
  const share = rows.shares.get(it);
  if (!share) return refused(20007);
  return mayManage(by, share) ? undefined : refused(403);
}

const change: Kind = {
  does: 'change share',
  weight: 2,
  isOwners: true,
  choose(chance) {
    const one = chooseOne(chance);
    return one && { ...one, ...drawRules(chance) };
  },
  say: (step) => `${step.by} changes ${step.it}${sayRules(step)}`,
  happen(rows, step) {
    const problem = ownShare(rows, step);
    if (problem) return problem;
    const share = rows.shares.get(step.it)!;
    const { password, maxViews, expires } = step as {
      password?: string;
      maxViews?: number;
      expires?: number;
    };
    // Setting the same password again also ends granted access, because the password gets a new hash.
    if (password !== undefined) rows.access.delete(step.it);
    if (password !== undefined) share.password = password;
    if (maxViews !== undefined) share.maxViews = maxViews;
    if (expires !== undefined) share.expires = rows.day + expires;
    return done();
  },
  send: (stage, who, { it, password, maxViews, expires }) =>
    who.put(`/api/shares/${idOf(stage, it)}`, { password, max_views: maxViews, expires }),
};

const revoke: Kind = {
  does: 'revoke share',
  weight: 1,
  isOwners: true,
  choose: chooseOne,
  say: ({ by, it }) => `${by} revokes ${it}`,
  happen(rows, step) {
    const problem = ownShare(rows, step);
    if (!problem) rows.shares.delete(step.it);
    return problem ?? done();
  },
  send: (stage, who, { it }) => who.delete(`/api/shares/${idOf(stage, it)}`),
};

/** Returns whether access holds. Access granted for one of two links may be tried on the other. */
function holdsAccess(rows: Rows, share: Share, from: unknown): boolean {
  const access = from === share.label ? rows.access.get(share.label) : undefined;
  return access !== undefined && access.day === rows.day && access.password === share.password;
}

function whatItShows(rows: Rows, share: Share) {
  if (share.kind === 'photo') return { type: 'photo', title: rows.photos.get(share.target)!.title };
  // A smart album's link shows only what everybody may see, because no person chose its photos.
  const seer = rows.albums.get(share.target)!.rule ? 'nobody' : share.owner;
  const photos = albumPhotosFor(rows, seer, share.target);
  return {
    type: 'album',
    name: rows.albums.get(share.target)!.name,
    photos: photos.map(({ label }) => label),
  };
}

const open: Kind = {
  does: 'open share',
  weight: 8,
  isOpen: true,
  choose(chance) {
    const one = chooseOne(chance);
    if (!one) return undefined;
    return {
      ...one,
      ...(chance.random.chance(0.5) && { access: chance.random.chance(0.8) ? one.it : chance.any('share') }),
    };
  },
  say: ({ it, access }) => `somebody opens ${it}${access ? ` with what they got at ${access}` : ''}`,
  happen(rows, { it, access }) {
    const share = rows.shares.get(it);
    if (!share || !showsSomething(rows, share)) return refused(20007);
    const isHeld = holdsAccess(rows, share, access);
    if (share.password !== undefined && !isHeld) return refused(20008);
    if (share.maxViews !== undefined && !isHeld) {
      if (share.views >= share.maxViews) return refused(20007);
      rows.access.set(it, { day: rows.day, password: share.password });
    }
    if (share.maxViews === undefined || !isHeld) share.views++;
    return done(whatItShows(rows, share));
  },
  async send(stage, _who, { it, access }) {
    const given = access === undefined ? undefined : stage.access.get(access as string);
    const query = given === undefined ? '' : `&access=${given}`;
    const nobody = stage.people.get('nobody')!;
    const answer = await nobody.get(`/api/shares/${stage.tokens.get(it)}?limit=100${query}`);
    if (answer.body.code !== 0) return answer;
    const { type, photo, album, photos, access: taken } = answer.body.data;
    const findLabel = (id: number) => listPhotoLabels(stage).get(id);
    answer.body.data =
      type === 'photo'
        ? { type, title: photo.title, access: taken }
        : {
            type,
            name: album.name,
            photos: photos.list.map(({ id }: { id: number }) => findLabel(id)),
            access: taken,
          };
    return answer;
  },
  keep(stage, { it }, { body }) {
    if (body.data.access !== undefined) stage.access.set(it, body.data.access);
  },
};

function listPhotoLabels(stage: Stage): Map<number, string> {
  return new Map(
    [...stage.ids].filter(([label]) => label.startsWith('photo')).map(([label, id]) => [id, label]),
  );
}

const unlock: Kind = {
  does: 'unlock share',
  weight: 6,
  isOpen: true,
  choose(chance) {
    const one = chooseOne(chance);
    return one && { ...one, password: chance.random.pick(['blue heron', 'red kite']) };
  },
  say: ({ it, password }) => `somebody unlocks ${it} with ${password}`,
  happen(rows, { it, password }) {
    const share = rows.shares.get(it);
    if (!share || !showsSomething(rows, share)) return refused(20007);
    if (share.password !== undefined && share.password !== password) return refused(20008);
    if (share.maxViews !== undefined) {
      if (share.views >= share.maxViews) return refused(20007);
      share.views++;
    }
    rows.access.set(it, { day: rows.day, password: share.password });
    return done();
  },
  send(stage, _who, { it, password }) {
    // Each attempt comes from its own IP address, because limits of attempts are not tested here.
    stage.tries++;
    const address = `10.0.${stage.tries >> 8}.${stage.tries & 255}`;
    return stage.people.get('nobody')!.send('POST', `/api/shares/${stage.tokens.get(it)}/unlock`, {
      body: JSON.stringify({ password }),
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    });
  },
  keep(stage, { it }, { body }) {
    stage.access.set(it, body.data.access);
  },
};

export const shareSteps = [make, change, revoke, open, unlock];
