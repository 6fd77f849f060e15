/**
 * The data for generated requests: photos, albums, comments and a share link of several people, and the
 * callers.
 */
import {
  addAlbum,
  addPhoto,
  asVisitor,
  type GalleryUrl,
  type Person,
  register,
} from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import type { World } from './requests.ts';

/**
 * Creates five callers: a visitor, two users, a user whose sessions, keys and password may be lost, and the
 * admin.
 */
export async function makeCallers(place: GalleryUrl, admin: Person, round: number): Promise<Person[]> {
  return [
    asVisitor(place),
    await register(place, `user${round}`),
    await register(place, `other${round}`),
    await register(place, `lost${round}`),
    admin,
  ];
}

export async function makeWorld(place: GalleryUrl, [, user, other, , admin]: Person[]): Promise<World> {
  const victims = await Promise.all(['victim1', 'victim2', 'victim3'].map((name) => register(place, name)));
  const picture = await createJpeg();
  const ids: number[] = [];
  for (const owner of [user!, other!, admin!]) {
    const album = await addAlbum(owner, 'Album');
    for (const is_public of ['0', '1']) {
      const { id } = await addPhoto(owner, { title: 'a', tags: 'b', album_id: String(album), is_public });
      ids.push(id, (await addPhoto(owner, { is_public })).id);
      await owner.post(`/api/photos/${id}/comments`, { content: 'c' });
    }
    ids.push(album);
  }
  const { body } = await user!.post(`/api/photos/${ids[0]}/share`, { type: 'link', password: 'secret' });
  const token = body.data.url.split('/').at(-1);
  const accounts = [...victims.map(({ id }) => id), 999_999, 'x', '-1', 'victim1', 1e21];
  return {
    ids: [...new Set([...ids, 1, 2, 3])],
    names: ['user0', 'victim1', 'b', token],
    picture,
    safeIds: { '/api/admin/users/{id}': accounts },
  };
}
