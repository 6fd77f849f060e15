/** Tests the names of places in files: which are read, and who can see and find them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { rereadPhotos } from '../../../server/gallery/photos/reread/run.ts';
import {
  chooseMetadataFields,
  type FoundMetadata,
} from '../../../server/platform/imaging/metadata/sources.ts';
import { assertDone, assertRead, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { createPhoto, createXmp } from '../../support/photo-metadata.ts';

const nothing: FoundMetadata = { exif: {}, xmp: {}, iptc: {}, png: {}, facts: {} };

test('names of a place come from the XMP file, the XMP data or IPTC, from the smallest to the largest', () => {
  const iptc = { City: ['Lyon'], 'Country/Primary Location Name': ['France'] };
  const cases: [Partial<FoundMetadata>, string][] = [
    [{}, ''],
    [{ xmp: { City: ['Paris'] } }, 'Paris'],
    [
      { xmp: { Country: ['France'], State: ['Île-de-France'], City: ['Paris'], Location: ['Louvre'] } },
      'Louvre, Paris, Île-de-France, France',
    ],
    [{ iptc }, 'Lyon, France'],
    [{ iptc: { 'Sub-location': ['Kreuzberg'], 'Province/State': ['Berlin'] } }, 'Kreuzberg, Berlin'],
    [{ xmp: { City: ['Paris'] }, iptc }, 'Paris'],
    [{ facts: { sidecar: { City: ['Nice'] } }, xmp: { City: ['Paris'] } }, 'Nice'],
    [{ xmp: { City: ['Berlin'], State: ['Berlin'], Country: ['Germany'] } }, 'Berlin, Germany'],
    [{ xmp: { City: ['  '], Country: [''] }, iptc }, 'Lyon, France'],
    [{ xmp: { City: ['<faulty value>'] } }, ''],
    [{ xmp: { City: ['Pa\u0000ris\n'], Country: ['\u202eFrance'] } }, 'Pa ris, France'],
    [{ xmp: { Location: ['外滩'], City: ['上海'] } }, '外滩, 上海'],
    [
      { xmp: { Location: ['x'.repeat(5000)], City: ['y'.repeat(5000)] } },
      `${'x'.repeat(200)}, ${'y'.repeat(98)}`,
    ],
  ];
  for (const [found, expected] of cases)
    assert.equal(chooseMetadataFields({ ...nothing, ...found }).placeNames, expected, JSON.stringify(found));
});

describe('names of places', () => {
  let gallery: Gallery;
  let owner: Person;
  let admin: Person;
  let others: Person[];
  const ids: number[] = [];
  before(async () => {
    gallery = await startGallery({}, { isIdle: true });
    admin = await registerAdmin(gallery, 'root');
    owner = await register(gallery, 'owner');
    others = [asVisitor(gallery), await register(gallery, 'bob')];
    const ofXmp = createXmp(
      'xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" Iptc4xmpCore:Location="Louvre" ' +
        'photoshop:City="Paris" photoshop:State="Île-de-France" photoshop:Country="France"',
    );
    const files = [
      await createPhoto({ xmp: ofXmp }),
      await createPhoto({
        iptc: [
          [90, 'Zürich'],
          [101, 'Schweiz'],
        ],
      }),
      await createPhoto(),
    ];
    for (const [place, file] of files.entries()) {
      const { id } = assertWritten(
        await owner.upload(file, { title: `photo ${place}`, visibility: 'public' }),
      );
      ids.push(id);
    }
  });
  after(() => gallery.close());

  const find = async (who: Person, q: string): Promise<number[]> => {
    const { list } = assertRead(await who.get(`/api/photos?q=${encodeURIComponent(q)}`));
    return list.map(({ id }: { id: number }) => id).sort((one: number, other: number) => one - other);
  };

  test('the owner and admins see the names of a place, and nobody else does', async () => {
    for (const who of [owner, admin]) {
      const names = [];
      for (const id of ids) names.push(assertRead(await who.get(`/api/photos/${id}`)).place_names);
      assert.deepEqual(names, ['Louvre, Paris, Île-de-France, France', 'Zürich, Schweiz', '']);
    }
    for (const who of others) {
      const answer = await who.get(`/api/photos/${ids[0]}`);
      assert.ok(!('place_names' in assertRead(answer)));
      assert.doesNotMatch(answer.bytes.toString(), /Louvre|Paris|France/);
    }
  });

  test('only the owner finds a photo by the names of its place', async () => {
    for (const [q, place] of [
      ['louvre', 0],
      ['paris france', 0],
      ['ile-de-france', 0],
      ['zurich', 1],
    ] as const) {
      assert.deepEqual(await find(owner, q), [ids[place]], q);
      for (const who of others) {
        assert.deepEqual(await find(who, q), [], `${who.name}: ${q}`);
        assert.deepEqual(await find(who, `-${q}`), q.includes(' ') ? [] : ids, `${who.name}: -${q}`);
        const { nearest } = assertRead(await who.get(`/api/photos?q=${encodeURIComponent(`${q} nothing`)}`));
        assert.equal(nearest, undefined, `${who.name}: ${q}`);
      }
    }
    assert.equal(assertRead(await owner.get('/api/photos?keyword=louvre')).pagination.total, 0);
  });

  test('a photo of an earlier version gets the names of its place from its file', async () => {
    const { kysely } = gallery.deps.db;
    const id = ids[1]!;
    await kysely.updateTable('photos').set({ place_names: '' }).where('id', '=', id).execute();
    assertDone(await owner.put(`/api/photos/${id}`, { description: 'a lake' }));
    assert.deepEqual(await find(owner, 'zurich'), []);
    await kysely.updateTable('photo_metadata').set({ reader: 1 }).where('photo_id', '=', id).execute();
    await rereadPhotos(gallery.deps, { read: 0, passedOver: 0 });
    assert.deepEqual(await find(owner, 'zurich'), [id]);
  });
});
