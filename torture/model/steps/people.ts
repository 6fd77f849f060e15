/** Steps between people: comments on photos, and follows. */

import { notify, retract } from '../notices.ts';
import { type Name, names, type Rows, type Visitor } from '../rows.ts';
import { isEnabled, mayChangeComment, seesAccount, seesPhoto } from '../rules.ts';
import { listFollowers, repliesTo } from '../visible-rows.ts';
import { type Chance, done, idOf, type Kind, refused } from './kind.ts';

const chooseComment = ({ any }: Chance) => {
  const it = any('comment');
  return it === undefined ? undefined : { it };
};

/**
 * Returns, half of the time, a comment whose author can no longer see the photo: a reply must not notify them
 * of hidden content.
 */
function answered({ random, rows, any }: Chance, by: Visitor): string | undefined {
  if (random.chance(0.5)) return undefined;
  const hidden = [...rows.comments.values()].filter(({ author, photo: label }) => {
    const photo = rows.photos.get(label)!;
    return author !== by && seesPhoto(rows, by, photo) && !seesPhoto(rows, author, photo);
  });
  return hidden.length > 0 && random.chance(0.7) ? random.pick(hidden).label : any('comment');
}

export const comment: Kind = {
  does: 'comment',
  weight: 7,
  choose(chance, by) {
    const { random, any, rows } = chance;
    const answers = answered(chance, by);
    const photo =
      (answers && random.chance(0.9) ? rows.comments.get(answers)?.photo : undefined) ?? any('photo');
    if (photo === undefined) return undefined;
    return { it: chance.fresh('comment'), photo, ...(answers && { answers }) };
  },
  say: ({ by, it, photo, answers }) =>
    `${by} writes ${it} below ${photo}${answers ? ` as an answer to ${answers}` : ''}`,
  happen(rows, { by, it, photo: label, answers }) {
    const photo = rows.photos.get(label as string);
    if (!photo || photo.isTrashed) return refused(20003);
    if (!seesPhoto(rows, by, photo)) return refused(20004);
    const answered = answers === undefined ? undefined : rows.comments.get(answers as string);
    if (answers !== undefined && answered?.photo !== photo.label) return refused(40001);
    rows.comments.set(it, {
      label: it,
      photo: photo.label,
      author: by as Name,
      content: it,
      parent: answered && (answered.parent ?? answered.label),
      likes: new Set(),
    });
    const about = { actor: by as Name, photo: photo.label, comment: it };
    const author = answered?.author;
    if (author && seesPhoto(rows, author, photo)) notify(rows, { ...about, to: author, type: 'reply' });
    if (author !== photo.owner) notify(rows, { ...about, to: photo.owner, type: 'comment' });
    return done({ content: it });
  },
  send: (stage, who, { it, photo, answers }) =>
    who.post(`/api/photos/${idOf(stage, photo)}/comments`, {
      content: it,
      ...(answers !== undefined && { parent_id: idOf(stage, answers) }),
    }),
  keep: (stage, { it }, { body }) => stage.ids.set(it, body.data.id),
};

/** Returns a comment, or undefined if its photo is in the trash, because the API then hides the comment. */
function commentIn(rows: Rows, label: string) {
  const found = rows.comments.get(label);
  const photo = found && rows.photos.get(found.photo)!;
  return photo && !photo.isTrashed ? { found, photo } : undefined;
}

const editComment: Kind = {
  does: 'edit comment',
  weight: 2,
  isOwners: true,
  choose: chooseComment,
  say: ({ by, it }) => `${by} changes ${it}`,
  happen(rows, { by, it }) {
    const { found } = commentIn(rows, it) ?? {};
    if (!found) return refused(40001);
    if (!mayChangeComment(by, found)) return refused(40002);
    found.content = `${it}, changed by ${by}`;
    return done({ content: found.content });
  },
  send: (stage, who, { it, by }) =>
    who.put(`/api/comments/${idOf(stage, it)}`, { content: `${it}, changed by ${by}` }),
};

/** Removes a comment with its replies from the model. */
export function removeComment(rows: Rows, label: string): void {
  for (const one of [label, ...repliesTo(rows, label).map((reply) => reply.label)]) {
    rows.comments.delete(one);
    retract(rows, ({ comment }) => comment === one);
  }
}

const deleteComment: Kind = {
  does: 'delete comment',
  weight: 3,
  isOwners: true,
  choose: chooseComment,
  say: ({ by, it }) => `${by} deletes ${it}`,
  happen(rows, { by, it }) {
    const { found, photo } = commentIn(rows, it) ?? {};
    if (!found || !photo) return refused(40001);
    if (!mayChangeComment(by, found) && photo.owner !== by) return refused(40002);
    removeComment(rows, it);
    return done();
  },
  send: (stage, who, { it }) => who.delete(`/api/comments/${idOf(stage, it)}`),
};

const likeComment: Kind = {
  does: 'like comment',
  weight: 3,
  choose: chooseComment,
  say: ({ by, it }) => `${by} toggles a like of ${it}`,
  happen(rows, { by, it }) {
    const { found, photo } = commentIn(rows, it) ?? {};
    if (!found || !photo) return refused(40001);
    const name = by as Name;
    const isSeen = seesPhoto(rows, by, photo);
    const wasLiked = found.likes.has(name);
    if (!isSeen && !wasLiked) return refused(40002);
    if (wasLiked) found.likes.delete(name);
    else found.likes.add(name);
    return done({ is_liked: !wasLiked, likes: isSeen ? found.likes.size : 0 });
  },
  send: (stage, who, { it }) => who.post(`/api/comments/${idOf(stage, it)}/like`),
};

const follow: Kind = {
  does: 'follow',
  weight: 5,
  choose: ({ random }) => ({
    it: random.pick(names),
    ...(random.chance(0.4) && { wanted: random.chance(0.6) }),
  }),
  say: ({ by, it, wanted }) =>
    `${by} ${wanted === undefined ? 'toggles following' : wanted ? 'follows' : 'stops following'} ${it}`,
  happen(rows, { by, it, wanted }) {
    const name = it as Name;
    if (!seesAccount(rows, by, name)) return refused(50001);
    if (by === name) return refused(50002);
    if (!isEnabled(rows, name)) return refused(50001);
    const key = `${by}>${name}`;
    const wasFollowing = rows.follows.has(key);
    const isFollowing = (wanted as boolean | undefined) ?? !wasFollowing;
    if (isFollowing) rows.follows.add(key);
    else rows.follows.delete(key);
    const about = { to: name, type: 'follow', actor: by as Name } as const;
    if (isFollowing && !wasFollowing) notify(rows, about);
    if (!isFollowing)
      retract(rows, ({ to, type, actor }) => to === name && type === 'follow' && actor === by);
    return done({ is_following: isFollowing, followers: listFollowers(rows, name).length });
  },
  send: (stage, who, { it, wanted }) =>
    who.post(
      `/api/users/${idOf(stage, it)}/follow`,
      wanted === undefined ? undefined : { following: wanted },
    ),
};

export const peopleSteps = [comment, editComment, deleteComment, likeComment, follow];
