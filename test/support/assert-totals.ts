/** Asserts that every stored count equals the rows it counts. albums.ts checks albums and photo totals. */
import assert from 'node:assert/strict';
import { chargedBytes } from '../../server/gallery/photos/upload/quota.ts';
import { assertAlbumsConsistent } from './albums.ts';
import type { Gallery } from './harness.ts';
import { readPhotos } from './photo-counters.ts';

export async function assertTotalsMatchRows(gallery: Pick<Gallery, 'deps'>): Promise<void> {
  await assertAlbumsConsistent(gallery);
  const { kysely } = gallery.deps.db;
  const users = await kysely.selectFrom('users').selectAll().execute();
  const photos = await readPhotos(kysely);
  const images = await kysely.selectFrom('images').selectAll().execute();
  const uploads = await kysely.selectFrom('uploads').selectAll().where('photo_id', 'is', null).execute();
  const tags = await kysely.selectFrom('photo_tags').selectAll().execute();
  const comments = await kysely.selectFrom('comments').selectAll().execute();
  const commentLikes = await kysely.selectFrom('comment_likes').selectAll().execute();
  const follows = await kysely.selectFrom('follows').selectAll().execute();
  const lines = await kysely.selectFrom('notifications').selectAll().execute();
  const reactions = {
    likes: await kysely.selectFrom('likes').selectAll().execute(),
    favorites: await kysely.selectFrom('favorites').selectAll().execute(),
  };

  for (const photo of photos) {
    const below = comments.filter(({ photo_id }) => photo_id === photo.id);
    assert.equal(photo.comments, below.length, `comments of photo ${photo.id}`);
    assert.equal(photo.comment_threads, below.filter(({ parent_id }) => parent_id === null).length);
    for (const kind of ['likes', 'favorites'] as const) {
      const own = reactions[kind].filter(({ photo_id }) => photo_id === photo.id);
      assert.equal(photo[kind], own.length, `${kind} of photo ${photo.id}`);
      const told = own.filter(({ notice }) => notice !== null);
      const type = kind === 'likes' ? 'like' : 'favorite';
      const line = lines.find((one) => one.photo_id === photo.id && one.type === type);
      assert.equal(line?.count ?? 0, told.length, `line of the ${kind} of photo ${photo.id}`);
      const latest = told.sort((a, b) => b.notice! - a.notice!)[0];
      assert.equal(line?.actor_id, latest?.user_id);
    }
  }
  for (const comment of comments) {
    assert.equal(comment.reply_count, comments.filter(({ parent_id }) => parent_id === comment.id).length);
    assert.equal(comment.likes, commentLikes.filter(({ comment_id }) => comment_id === comment.id).length);
  }
  const active = new Set(users.filter(({ status }) => status === 1).map(({ id }) => id));
  for (const user of users) {
    const own = photos.filter(({ user_id }) => user_id === user.id).map(({ id }) => id);
    const versions = images.filter(({ photo_id }) => own.includes(photo_id));
    const announced = uploads.filter(({ user_id }) => user_id === user.id);
    assert.equal(user.used_bytes, chargedBytes([...versions, ...announced]), `bytes of ${user.username}`);
    // The counts of an account that is being deleted are hidden, and so they are not checked.
    if (user.status < 0) continue;
    const followers = follows.filter((one) => one.followee_id === user.id && active.has(one.follower_id));
    const following = follows.filter((one) => one.follower_id === user.id && active.has(one.followee_id));
    assert.deepEqual([user.followers, user.following], [followers.length, following.length], user.username);
  }

  const tagTotals = await kysely.selectFrom('tag_totals').selectAll().execute();
  const createKey = (user: number, tag: { visibility: number; name_key: string }) =>
    `${user} ${tag.visibility} ${tag.name_key}`;
  const counted = new Map<string, number>();
  for (const tag of tags.filter(({ visibility }) => visibility > 0)) {
    for (const user of [0, tag.user_id]) {
      counted.set(createKey(user, tag), (counted.get(createKey(user, tag)) ?? 0) + 1);
    }
  }
  const kept = new Map(tagTotals.map((tag) => [createKey(tag.user_id, tag), tag.n] as const));
  assert.deepEqual([...kept].sort(), [...counted].sort());
}
