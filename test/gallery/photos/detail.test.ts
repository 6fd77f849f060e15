import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { assertRead, assertRefused } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { createJpeg, createJpegWithExif } from '../../support/pictures.ts';

const fields = [
  'album',
  'albums',
  'comments',
  'create_time',
  'description',
  'downloads',
  'effective_visibility',
  'exif',
  'favorites',
  'focal_length',
  'height',
  'id',
  'image',
  'is_favorited',
  'is_liked',
  'is_public',
  'lens',
  'likes',
  'path',
  'placeholder',
  'preview',
  'size',
  'tags',
  'taken_time',
  'thumb',
  'title',
  'update_time',
  'user',
  'views',
  'visibility',
  'width',
];

describe('the photo detail', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;
  let admin: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
    admin = await registerAdmin(gallery, 'admin');
  });
  after(() => gallery.close());

  const read = async (who: Person, id: number) => assertRead(await who.get(`/api/photos/${id}`));

  test('the photo detail has exactly these fields', async () => {
    const album = await addAlbum(owner, 'Home');
    await owner.put('/api/auth/profile', {
      nickname: 'The owner',
      mobile: '555-SECRET',
      birthday: '1970-01-02',
    });
    const file = await createJpegWithExif();
    const { id } = await addPhoto(owner, { title: 'House', tags: 'a,B', album_id: String(album) }, file);
    for (const who of [owner, stranger, asVisitor(gallery), admin]) {
      const answer = await who.get(`/api/photos/${id}`);
      const { file_name, location, place_names, rating, file: fromFile, ...photo } = assertRead(answer);
      const isTold = who === owner || who === admin;
      assert.equal(file_name, isTold ? 'photo.jpg' : undefined, who.name);
      assert.deepEqual(location, isTold ? { latitude: 51.5, longitude: -0.1166667 } : undefined, who.name);
      assert.equal(place_names, isTold ? '' : undefined, who.name);
      assert.equal(rating, isTold ? 0 : undefined, who.name);
      assert.equal(typeof fromFile, isTold ? 'object' : 'undefined', who.name);
      assert.deepEqual(Object.keys(photo).sort(), fields);
      const {
        path,
        preview,
        thumb,
        placeholder,
        create_time,
        update_time,
        views,
        image: sizes,
        ...rest
      } = photo;
      assert.deepEqual(rest, {
        id,
        title: 'House',
        description: '',
        width: 640,
        height: 480,
        size: file.length,
        likes: 0,
        favorites: 0,
        comments: 0,
        downloads: 0,
        is_liked: false,
        is_favorited: false,
        tags: ['a', 'B'],
        exif: { camera: 'Canon EOS 500D', aperture: 'f/2.8', shutter: '1/125', iso: 200 },
        lens: 'EF-S17-55mm f/2.8 IS USM',
        focal_length: 23.5,
        taken_time: '2021-05-06 07:08:09',
        user: { id: owner.id, username: 'owner', nickname: 'The owner', avatar: '' },
        album: { id: album, name: 'Home' },
        albums: [{ id: album, name: 'Home', as: 'main' }],
        visibility: 'public',
        is_public: 1,
        effective_visibility: 'public',
      });
      for (const image of [path, preview, thumb]) assert.match(image, /^\/storage\/[0-9a-f]{32}\.\w+\.\w+$/);
      assert.match(create_time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      assert.equal(update_time, create_time);
      assert.equal(sizes, thumb.replace('thumb.webp', 'w{width}.webp'));
      assert.ok(Buffer.from(placeholder, 'base64').length >= 5, 'a ThumbHash');
      assert.ok(views > 0);
      const text = answer.bytes.toString();
      assert.doesNotMatch(text, /SERIAL|SECRET|owner@example\.org|1970-01-02|gps|sha256/i);
      if (!isTold) assert.doesNotMatch(text, /latitude|longitude|51\.5|file_name|photo\.jpg/);
    }
  });

  test('the photo detail formats exposures like cameras do, and is empty without Exif values', async () => {
    const cases: [Record<string, string>, Record<string, string>, object][] = [
      [
        { Make: 'NIKON CORPORATION', Model: 'NIKON D70' },
        { FNumber: '8/1', ExposureTime: '2/1', ISOSpeedRatings: '3200' },
        { camera: 'NIKON D70', aperture: 'f/8', shutter: '2', iso: 3200 },
      ],
      [
        { Make: 'FUJIFILM', Model: 'X100' },
        { FNumber: '56/10', ExposureTime: '10/1250' },
        { camera: 'FUJIFILM X100', aperture: 'f/5.6', shutter: '1/125', iso: 0 },
      ],
      [{ Model: 'Pinhole' }, {}, { camera: 'Pinhole', aperture: '', shutter: '', iso: 0 }],
      [
        {},
        { FNumber: '1/0', ExposureTime: '0/0', ISOSpeedRatings: '0' },
        { camera: '', aperture: '', shutter: '', iso: 0 },
      ],
      [
        { Make: '<script>alert(1)</script>', Model: "'; DROP TABLE photos;--" },
        { ExposureTime: '1/2' },
        { camera: "<script>alert(1)</script> '; DROP TABLE photos;--", aperture: '', shutter: '0.5', iso: 0 },
      ],
    ];
    for (const [IFD0, IFD2, expected] of cases) {
      const file = await sharp(await createJpeg())
        .withExif({ IFD0, IFD2 })
        .jpeg()
        .toBuffer();
      const { id } = await addPhoto(owner, {}, file);
      assert.deepEqual((await read(owner, id)).exif, expected);
    }
    const { id } = await addPhoto(
      owner,
      {},
      await sharp(await createJpeg())
        .png()
        .toBuffer(),
    );
    const { exif, album } = await read(owner, id);
    assert.deepEqual([exif, album], [{ camera: '', aperture: '', shutter: '', iso: 0 }, null]);
  });

  test('the photo detail counts one view for each reading by anyone, and shows the count soon', async () => {
    const { id } = await addPhoto(owner, { title: 'Viewed' });
    let views = 0;
    // Views the photo for longer than views are collected in memory, so that some reads happen while views
    // are written.
    const end = Date.now() + 900;
    while (Date.now() < end || views < 20) {
      const who = [owner, stranger, asVisitor(gallery)][views % 3]!;
      const shown = (await read(who, id)).views;
      assert.ok(shown >= 1 && shown <= ++views, `${shown} of ${views} views`);
    }
    await Promise.all(Array.from({ length: 40 }, () => read(stranger, id)));
    await gallery.deps.db.counters.flush();
    assert.equal((await read(owner, id)).views, views + 41);
    await eventually(async () => {
      const { list } = assertRead(await owner.get(`/api/photos?user_id=${owner.id}&limit=100`));
      assert.equal(list.find((item: { id: number }) => item.id === id).views, views + 41);
    });
  });

  test('requests other than the photo detail count no view', async () => {
    const { id, thumb } = await addPhoto(owner, { title: 'Unseen', is_public: '0' });
    const bystander = stranger;
    assertRefused(await bystander.get(`/api/photos/${id}`), 403, 20004);
    await owner.get('/api/photos');
    await owner.get(thumb);
    await owner.put(`/api/photos/${id}`, { title: 'Still unseen' });
    await owner.send('HEAD', `/api/photos/${id}`);
    assert.equal((await read(owner, id)).views, 1);
  });

  test('the photo detail shows the number of downloads', async () => {
    const { id } = await addPhoto(owner, { title: 'Taken' });
    let size = 0;
    for (let n = 1; n <= 3; n++) {
      const { status, bytes } = await (n % 2 ? owner : stranger).get(`/api/photos/${id}/download`);
      assert.equal(status, 200);
      size = bytes.length;
      await gallery.deps.db.counters.flush();
      assert.equal((await read(owner, id)).downloads, n);
    }
    const head = await owner.send('HEAD', `/api/photos/${id}/download`);
    assert.equal(head.headers.get('content-length'), String(size), 'HEAD has the length of GET');
    await asVisitor(gallery).get(`/api/photos/${id}/download`);
    await gallery.deps.db.counters.flush();
    assert.equal((await read(owner, id)).downloads, 3);
  });

  test('the photo detail shows a private photo to its owner and admins', async () => {
    const { id } = await addPhoto(owner, { title: 'Private', is_public: '0' });
    for (const who of [owner, admin]) {
      const photo = await read(who, id);
      assert.equal(photo.is_public, 0);
      for (const image of [photo.path, photo.preview, photo.thumb]) {
        assert.match(image, /^\/storage\/[^?]+\?g=u\d+&e=\d+&s=[\w-]+$/);
        assert.equal((await asVisitor(gallery).get(image)).status, 200, 'a signed path needs no token');
      }
    }
    for (const who of [stranger, asVisitor(gallery)]) {
      const answer = await who.get(`/api/photos/${id}`);
      assertRefused(answer, 403, 20004);
      assert.ok(!answer.bytes.includes('Private'));
    }
    assertRefused(await owner.get('/api/photos/999999'), 404, 20003);
  });

  test('the photo detail hides a public photo in a private album', async () => {
    const album = await addAlbum(owner, 'Behind the curtain', { isPublic: false });
    const { id } = await addPhoto(owner, { title: 'Curtained', album_id: String(album) });
    const { visibility, is_public, effective_visibility } = await read(owner, id);
    assert.deepEqual([visibility, is_public, effective_visibility], ['public', 1, 'private']);
    for (const who of [stranger, asVisitor(gallery)]) {
      assertRefused(await who.get(`/api/photos/${id}`), 403, 20004);
    }
  });

  test('shows a photo for members to everyone who is signed in, and its images by signed paths', async () => {
    const club = String(await addAlbum(owner, 'Club', { visibility: 'members' }));
    for (const [fields, levels] of [
      [{ visibility: 'members' }, ['members', 0, 'members']],
      [{ album_id: club }, ['public', 1, 'members']],
    ] as const) {
      const { id } = await addPhoto(owner, fields);
      for (const who of [owner, stranger, admin]) {
        const { path, thumb, visibility, is_public, effective_visibility } = await read(who, id);
        assert.deepEqual([visibility, is_public, effective_visibility], levels, who.name);
        for (const image of [path, thumb]) {
          assert.equal((await asVisitor(gallery).get(image)).status, 200);
          assert.equal((await asVisitor(gallery).get(image.split('?')[0])).status, 403);
        }
      }
      assertRefused(await asVisitor(gallery).get(`/api/photos/${id}`), 403, 20004);
    }
  });

  test('shows each viewer their own reactions', async () => {
    const { id } = await addPhoto(owner, { title: 'Liked' });
    await stranger.post(`/api/photos/${id}/like`);
    await admin.post(`/api/photos/${id}/favorite`);
    const stateFor = async (who: Person) => {
      const { is_liked, is_favorited, likes, favorites } = await read(who, id);
      return [is_liked, is_favorited, likes, favorites];
    };
    assert.deepEqual(await stateFor(stranger), [true, false, 1, 1]);
    assert.deepEqual(await stateFor(admin), [false, true, 1, 1]);
    assert.deepEqual(await stateFor(owner), [false, false, 1, 1]);
    assert.deepEqual(await stateFor(asVisitor(gallery)), [false, false, 1, 1]);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
