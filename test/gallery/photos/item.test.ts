/** Tests the properties of a photo in every list of photos. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { createAnimation, createJpegWithExif } from '../../support/pictures.ts';

describe("a list's item", () => {
  let gallery: Gallery;
  let people: Record<'owner' | 'fan' | 'admin' | 'nobody', Person>;
  let album: number;
  /** Ids of a still photo and of an animation, whose preview has another format. */
  let still: number;
  let moving: number;
  let shared: string;

  before(async () => {
    gallery = await startGallery();
    const owner = await register(gallery, 'owner');
    const fan = await register(gallery, 'fan');
    const admin = await registerAdmin(gallery, 'admin');
    people = { owner, fan, admin, nobody: asVisitor(gallery) };
    await owner.put('/api/auth/profile', { nickname: 'The owner' });
    album = await addAlbum(owner, 'Album');
    const fields = { title: 'Listed', tags: 'listed', album_id: String(album) };
    still = (await addPhoto(owner, fields, await createJpegWithExif())).id;
    moving = (await addPhoto(owner, fields, await createAnimation())).id;
    await fan.post(`/api/users/${owner.id}/follow`);
    assertWritten(await fan.post(`/api/photos/${still}/like`));
    for (const who of [fan, owner]) assertWritten(await who.post(`/api/photos/${moving}/favorite`));
    const report = { target_type: 'photo', target_id: still, reason: 'other' };
    assertWritten(await fan.post('/api/reports', report));
    const { url } = assertWritten(await owner.post(`/api/albums/${album}/share`, { type: 'link' }));
    shared = url.split('/').at(-1);
  });
  after(() => gallery.close());

  type Item = Record<string, unknown> & { id: number };
  const findItem = async (who: Person, path: string, id: number): Promise<Item | undefined> => {
    const data = assertRead(await who.get(path));
    return (data.photos ?? data).list.find((item: Item) => item.id === id);
  };
  const lists = () => [
    '/api/photos',
    '/api/photos?sort=taken_time&order=asc',
    '/api/photos?keyword=listed',
    '/api/photos?tag=listed',
    `/api/photos?album_id=${album}`,
    `/api/photos?user_id=${people.owner.id}`,
    `/api/users/${people.owner.id}/photos`,
    `/api/albums/${album}/photos`,
  ];

  test('the item of every list has the same values as the photo detail, for every viewer', async () => {
    const shownBy: [keyof typeof people, string[]][] = [
      ['nobody', lists()],
      ['fan', [...lists(), '/api/feed', `/api/users/${people.fan.id}/favorites`]],
      ['owner', [...lists(), `/api/users/${people.owner.id}/favorites`]],
      ['admin', [...lists(), '/api/admin/photos', '/api/admin/photos?reported=1']],
    ];
    for (const [role, paths] of shownBy) {
      const who = people[role];
      for (const id of [still, moving]) {
        const detail = assertRead(await who.get(`/api/photos/${id}`));
        for (const path of paths) {
          const item = await findItem(who, path, id);
          const isElsewhere = /favorites/.test(path) ? id === still : /reported/.test(path) && id === moving;
          assert.equal(item === undefined, isElsewhere, `${role} ${path} ${id}`);
          if (!item) continue;
          const { reports: _, views: __, ...told } = item;
          const expected = Object.fromEntries(Object.keys(told).map((name) => [name, detail[name]]));
          assert.deepEqual(told, expected, `${role} ${path}`);
        }
      }
    }
  });

  test("a list's item shows each viewer their own likes and favorites, and strangers none", async () => {
    const readReactions = async (role: keyof typeof people, id: number, path: string) => {
      const item = (await findItem(people[role], path, id))!;
      return [item.is_liked, item.is_favorited];
    };
    for (const path of lists()) {
      assert.deepEqual(await readReactions('fan', still, path), [true, false], path);
      assert.deepEqual(await readReactions('fan', moving, path), [false, true], path);
      assert.deepEqual(await readReactions('owner', still, path), [false, false], path);
      assert.deepEqual(await readReactions('owner', moving, path), [false, true], path);
      for (const role of ['nobody', 'admin'] as const) {
        assert.deepEqual(await readReactions(role, moving, path), [false, false], `${role} ${path}`);
      }
    }
    assert.deepEqual(await readReactions('fan', still, '/api/feed'), [true, false]);
    // An admin who views another user's favorites sees the admin's own likes and favorites.
    const favorites = `/api/users/${people.fan.id}/favorites`;
    assert.deepEqual(await readReactions('admin', moving, favorites), [false, false]);
  });

  test("an item of a shared album hides the owner's reactions, and has a preview that opens", async () => {
    for (const role of ['owner', 'nobody'] as const) {
      for (const id of [still, moving]) {
        const item = (await findItem(people[role], `/api/shares/${shared}`, id))!;
        assert.deepEqual([item.is_liked, item.is_favorited], [false, false], role);
        assert.equal((await people.nobody.get(String(item.preview))).status, 200);
      }
    }
  });

  test('an item of a private photo has a signed preview whose signature fits no other photo', async () => {
    assertDone(await people.owner.put(`/api/photos/${still}`, { is_public: 0 }));
    const item = (await findItem(people.owner, '/api/photos', still))!;
    assert.equal(item.is_public, 0);
    assert.match(String(item.preview), /^\/storage\/\w{32}\.preview\.jpg\?g=u\d+&e=\d+&s=/);
    assert.equal((await people.nobody.get(String(item.preview))).status, 200);
    assert.equal((await people.nobody.get(String(item.preview).split('?')[0]!)).status, 403);
    assertDone(await people.owner.put(`/api/photos/${still}`, { is_public: 1 }));
  });

  test("a list's item in the trash shows its owner the same fields", async () => {
    // Writes the views that are collected in memory, which could otherwise be written between the two reads.
    await gallery.deps.db.counters.flush();
    const before = (await findItem(people.owner, '/api/photos', moving))!;
    await people.owner.delete(`/api/photos/${moving}`);
    const trashed = (await findItem(people.owner, '/api/trash', moving))!;
    const { delete_time, preview, thumb, image, ...told } = trashed;
    const { preview: publicPreview, thumb: _, image: publicImage, ...listed } = before;
    const expected = { ...listed, effective_visibility: 'private' };
    assert.equal(String(image).split('?')[0], publicImage);
    assert.match(String(delete_time), /^\d{4}-/);
    assert.deepEqual(told, expected);
    assert.equal(String(preview).split('?')[0], publicPreview);
    assert.equal((await people.nobody.get(String(preview))).status, 200);
    assertDone(await people.owner.post(`/api/photos/${moving}/restore`));
  });

  test("a list's item shows the preview of the edited image", async () => {
    const step = { action: 'rotate', params: { angle: 90 } };
    assertWritten(await people.owner.post(`/api/photos/${moving}/edit`, step));
    const item = (await findItem(people.nobody, '/api/photos', moving))!;
    const detail = assertRead(await people.nobody.get(`/api/photos/${moving}`));
    assert.equal(item.preview, detail.preview);
    assert.equal((await people.nobody.get(String(item.preview))).status, 200);
    const { preview_extension } = await gallery.deps.db.kysely
      .selectFrom('images')
      .innerJoin('photos', 'photos.image_key', 'images.key')
      .select('images.preview_extension')
      .where('photos.id', '=', moving)
      .executeTakeFirstOrThrow();
    assert.ok(String(item.preview).endsWith(`.preview.${preview_extension}`));
  });
});
