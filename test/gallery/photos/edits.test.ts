import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { countHoldings } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  type Answer,
  addPhoto,
  asVisitor,
  type Person,
  register,
  registerAdmin,
} from '../../support/people.ts';
import { createAnimation, createLandmarks, readPixel } from '../../support/pictures.ts';

const [red, green, blue] = ['red', 'green', 'blue'] as const;

describe('edits', () => {
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

  const edit = (id: number, action: string, params: object = {}, who: Person = owner): Promise<Answer> =>
    who.post(`/api/photos/${id}/edit`, { action, params });
  const detail = async (id: number) => assertRead(await owner.get(`/api/photos/${id}`));
  const bytesAt = async (path: string) => {
    const { status, bytes } = await asVisitor(gallery).get(path);
    assert.equal(status, 200, path);
    return bytes;
  };
  const steps = async (id: number) => assertRead(await owner.get(`/api/photos/${id}/edits`)).list;

  /** Adds a picture with red at the top, green at the bottom left and blue at the bottom right. */
  const addLandmarks = async (fields = {}) =>
    addPhoto(owner, { title: 'landmarks', ...fields }, await createLandmarks(300, 200));

  /** Returns the color names of the corners: top left, top right, bottom left, bottom right. */
  async function corners(picture: Buffer): Promise<string> {
    const { width = 0, height = 0 } = await sharp(picture).metadata();
    const inset = 6;
    const names = [];
    for (const y of [inset, height - inset]) {
      for (const x of [inset, width - inset]) {
        const [r, g, b] = (await readPixel(picture, x, y)) as [number, number, number];
        names.push(
          r > 180 && g < 90 ? red : g > 180 && r < 90 ? green : b > 180 && r < 90 ? blue : `${r},${g},${b}`,
        );
      }
    }
    return names.join(' ');
  }

  const cases: [string, object, [number, number], string][] = [
    ['crop', { x: 0, y: 100, width: 150, height: 100 }, [150, 100], 'green green green green'],
    ['crop', { x: 100, y: 50, width: 200, height: 150 }, [200, 150], 'red red green blue'],
    ['crop', { x: 0, y: 0, width: 300, height: 200 }, [300, 200], 'red red green blue'],
    ['rotate', { angle: 90 }, [200, 300], 'green red blue red'],
    ['rotate', { angle: 180 }, [300, 200], 'blue green red red'],
    ['rotate', { angle: 270 }, [200, 300], 'red blue red green'],
    ['flip', { direction: 'h' }, [300, 200], 'red red blue green'],
    ['flip', { direction: 'v' }, [300, 200], 'green blue red red'],
    ['resize', { width: 150, height: 150 }, [150, 150], 'red red green blue'],
    ['resize', { width: 150 }, [150, 100], 'red red green blue'],
    ['resize', { height: 50 }, [75, 50], 'red red green blue'],
    ['resize', { width: 600 }, [600, 400], 'red red green blue'],
  ];

  for (const [action, params, size, expected] of cases) {
    test(`an edit applies ${action} ${JSON.stringify(params)}`, async () => {
      const photo = await addLandmarks();
      const data = assertWritten(await edit(photo.id, action, params));
      assert.deepEqual(Object.keys(data).sort(), [
        'height',
        'image',
        'path',
        'placeholder',
        'preview',
        'size',
        'thumb',
        'width',
      ]);
      assert.notEqual(data.path, photo.path);
      const now = await detail(photo.id);
      assert.equal(now.path, data.path);
      assert.deepEqual([now.width, now.height], size);
      const bytes = await bytesAt(data.path);
      assert.equal(now.size, bytes.length);
      const { width, height } = await sharp(bytes).metadata();
      assert.deepEqual([width, height], size);
      assert.equal(await corners(bytes), expected);
      assert.equal(await corners(await bytesAt(now.preview)), expected);
      assert.equal(await corners(await bytesAt(now.thumb)), expected);
      const item = assertRead(await asVisitor(gallery).get('/api/photos?limit=1')).list[0];
      assert.deepEqual([item.id, item.thumb, item.width, item.height], [photo.id, now.thumb, ...size]);
      assert.deepEqual(
        (await steps(photo.id)).map(({ action, params }: { action: string; params: object }) => ({
          action,
          params,
        })),
        [{ action, params }],
      );
    });
  }

  const filters: [object, (rgb: number[]) => boolean][] = [
    [{ type: 'grayscale' }, ([r, g, b]) => r === g && g === b],
    [{ type: 'sepia', value: 'ignored' }, ([r, , b]) => r! > b!],
    [{ type: 'invert' }, ([r, g, b]) => r! < 30 && g! > 220 && b! > 220],
    [{ type: 'blur', value: 5 }, ([r]) => r! > 150],
    [{ type: 'sharpen', value: 2 }, ([r, g]) => r! > 220 && g! < 30],
    [{ type: 'brightness', value: -50 }, ([r]) => r! < 200],
    [{ type: 'contrast', value: -80 }, ([r, g]) => r! < 240 && g! > 40],
    [{ type: 'saturation', value: -100 }, ([r, g, b]) => Math.max(r!, g!, b!) - Math.min(r!, g!, b!) < 12],
    [{ type: 'hue', value: 120 }, ([r, g]) => g! > r!],
    [{ type: 'temperature', value: -100 }, ([r]) => r! < 220],
    [{ type: 'highlights', value: -100 }, ([r]) => r! > 150],
    [{ type: 'shadows', value: 100 }, ([r]) => r! > 150],
  ];

  for (const [params, holds] of filters) {
    test(`an edit applies the filter ${JSON.stringify(params)}`, async () => {
      const { id } = await addLandmarks();
      const { path } = assertWritten(await edit(id, 'filter', params));
      const bytes = await bytesAt(path);
      const rgb = await readPixel(bytes, 150, 40);
      assert.ok(holds(rgb), `red became ${rgb}`);
      const { width, height } = await sharp(bytes).metadata();
      assert.deepEqual([width, height], [300, 200]);
    });
  }

  test('an edit keeps the frames of an animation', async () => {
    const { id } = await addPhoto(owner, {}, await createAnimation(3, 60, 40));
    assertWritten(await edit(id, 'rotate', { angle: 90 }));
    const { path } = assertWritten(await edit(id, 'crop', { x: 0, y: 0, width: 40, height: 30 }));
    const { pages, width, height } = await sharp(await bytesAt(path)).metadata();
    assert.deepEqual([pages, width, height], [3, 40, 30]);
  });

  test('an invalid edit names every invalid field and changes nothing', async () => {
    const { id } = await addLandmarks();
    const before = await countHoldings(gallery.deps);
    const bad: [unknown, string[]][] = [
      [{}, ['action', 'params']],
      [{ action: 'crop' }, ['params']],
      [{ action: 'melt', params: {} }, ['action']],
      [{ action: 'crop', params: {} }, ['params.x', 'params.y', 'params.width', 'params.height']],
      [
        { action: 'crop', params: { x: '0', y: null, width: [], height: {} } },
        ['params.x', 'params.y', 'params.width', 'params.height'],
      ],
      [
        { action: 'crop', params: { x: -1, y: 0.5, width: 0, height: -3 } },
        ['params.x', 'params.y', 'params.width', 'params.height'],
      ],
      [{ action: 'crop', params: { x: 0, y: 0, width: 301, height: 200 } }, ['params.width']],
      [
        { action: 'crop', params: { x: 200, y: 150, width: 101, height: 51 } },
        ['params.width', 'params.height'],
      ],
      [{ action: 'crop', params: { x: 300, y: 200, width: 1, height: 1 } }, ['params.x', 'params.y']],
      [{ action: 'rotate', params: { angle: 45 } }, ['params.angle']],
      [{ action: 'rotate', params: { angle: '90' } }, ['params.angle']],
      [{ action: 'rotate', params: {} }, ['params.angle']],
      [{ action: 'flip', params: { direction: 'x' } }, ['params.direction']],
      [{ action: 'resize', params: {} }, ['params.width', 'params.height']],
      [{ action: 'resize', params: { width: 0, height: 1.5 } }, ['params.width', 'params.height']],
      [{ action: 'resize', params: { width: 16_383, height: 16_383 } }, ['params.width', 'params.height']],
      [{ action: 'filter', params: {} }, ['params.type']],
      [{ action: 'filter', params: { type: 'melt', value: 1 } }, ['params.type']],
      [{ action: 'filter', params: { type: 'blur' } }, ['params.value']],
      ...(
        [
          ['blur', 0.2],
          ['blur', 101],
          ['sharpen', 0.4],
          ['sharpen', 11],
          ['brightness', -101],
          ['contrast', 101],
          ['saturation', '5'],
          ['hue', 181],
          ['temperature', 101],
          ['highlights', -101],
          ['shadows', '5'],
          ['hue', null],
        ] as const
      ).map(
        ([type, value]) =>
          [{ action: 'filter', params: { type, value } }, ['params.value']] as [unknown, string[]],
      ),
    ];
    for (const [body, fields] of bad) {
      assertRefused(await owner.post(`/api/photos/${id}/edit`, body), 400, 400, fields);
    }
    assert.deepEqual(await steps(id), []);
    assert.deepEqual(await countHoldings(gallery.deps), before);
  });

  test('a crop is measured in pixels of the current image', async () => {
    const { id } = await addLandmarks();
    assertWritten(await edit(id, 'rotate', { angle: 90 }));
    assertRefused(await edit(id, 'crop', { x: 0, y: 0, width: 300, height: 200 }), 400, 400, [
      'params.width',
    ]);
    assertWritten(await edit(id, 'crop', { x: 0, y: 0, width: 200, height: 250 }));
  });

  test('keeps two simultaneous edits in order', async () => {
    const { id } = await addLandmarks();
    const answers = await Promise.all([
      edit(id, 'rotate', { angle: 90 }),
      edit(id, 'flip', { direction: 'v' }),
    ]);
    const paths = answers.map((answer) => assertWritten(answer).path);
    assert.notEqual(paths[0], paths[1]);
    const history = await steps(id);
    assert.deepEqual(history.map(({ action }: { action: string }) => action).sort(), ['flip', 'rotate']);
    const { path, width, height } = await detail(id);
    assert.ok(paths.includes(path));
    assert.deepEqual([width, height], [200, 300]);
    const isTurnedFirst = history[0].action === 'rotate';
    assert.equal(
      await corners(await bytesAt(path)),
      isTurnedFirst ? 'blue red green red' : 'red green red blue',
    );
  });

  test('allows only the owner and admins to edit a photo', async () => {
    const shown = await addLandmarks();
    const hidden = await addLandmarks({ is_public: '0' });
    for (const { id } of [shown, hidden]) {
      const body = { action: 'flip', params: { direction: 'h' } };
      assertRefused(await edit(id, 'flip', body.params, stranger), 403, 20004);
      assertRefused(await stranger.get(`/api/photos/${id}/edits`), 403, 20004);
      assertRefused(await stranger.post(`/api/photos/${id}/revert`, {}), 403, 20004);
      assertRefused(await edit(id, 'flip', body.params, asVisitor(gallery)), 401, 401);
      assertRefused(await asVisitor(gallery).get(`/api/photos/${id}/edits`), 401, 401);
      assertRefused(await asVisitor(gallery).post(`/api/photos/${id}/revert`, {}), 401, 401);
      assert.deepEqual(await steps(id), []);
      assertWritten(await edit(id, 'flip', body.params, admin));
      assert.equal((await steps(id)).length, 1);
    }
    assertRefused(await edit(999_999, 'flip', { direction: 'h' }), 404, 20003);
  });

  test('edited images of a private photo stay private', async () => {
    const { id } = await addLandmarks({ is_public: '0' });
    const { path } = assertWritten(await edit(id, 'flip', { direction: 'h' }));
    assert.match(path, /^\/storage\/[0-9a-f]{32}\.edit\.png\?g=/);
    assert.equal((await asVisitor(gallery).get(path)).status, 200);
    const plain = path.split('?')[0];
    const refused = await stranger.get(plain);
    assert.deepEqual([refused.status, refused.body.code], [403, 20004]);
    assert.equal((await owner.get(plain)).status, 200);
  });

  test('refuses an edit of a damaged picture like an upload, and changes nothing', async () => {
    const { id, path } = await addLandmarks();
    const name = path.split('/').at(-1)!;
    const { storage } = gallery.deps;
    const whole = await bytesAt(path);
    await storage.remove(name);
    await storage.put([{ name, source: whole.subarray(0, Math.floor(whole.length / 2)) }]);
    assertRefused(await edit(id, 'flip', { direction: 'h' }), 415, 20001);
    assert.deepEqual(await steps(id), []);
  });

  test('an edit answers 20003 if the photo is purged while its original is read', async () => {
    const { id } = await addLandmarks();
    const { storage } = gallery.deps;
    const { openLocalFile } = storage;
    storage.openLocalFile = async (name) => {
      for (const path of [`/api/photos/${id}`, `/api/trash/${id}`])
        assert.equal((await owner.delete(path)).status, 200);
      await storage.remove(name);
      return openLocalFile(name);
    };
    try {
      assertRefused(await edit(id, 'flip', { direction: 'h' }), 404, 20003);
    } finally {
      storage.openLocalFile = openLocalFile;
    }
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
