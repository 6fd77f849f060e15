/** Tests that the server reads the place where a picture was taken, from all kinds of file contents. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readGeoLocation } from '../../../server/platform/imaging/metadata/location.ts';
import { createFolder, createQuarters, startImaging } from './pictures.ts';

const write = createFolder();
const imaging = startImaging();

suite('a location', () => {
  const whole = {
    GPSLatitudeRef: 'S',
    GPSLatitude: '33/1 51/1 2500/100',
    GPSLongitudeRef: 'E',
    GPSLongitude: '151/1 12/1 3999/100',
  };
  const read = async (IFD3: Record<string, string>) => {
    const data = await createQuarters(60, 40).removeAlpha().withExif({ IFD3 }).jpeg().toBuffer();
    return (await imaging.exif(write('place.jpg', data), {})).location;
  };

  test('is told in all four quarters of the world, to its ends', async () => {
    for (const [ns, ew, north, east] of [
      ['N', 'E', 1, 1],
      ['N', 'W', 1, -1],
      ['S', 'E', -1, 1],
      ['S', 'W', -1, -1],
    ] as const) {
      const place = { ...whole, GPSLatitudeRef: ns, GPSLongitudeRef: ew };
      const [latitude, longitude] = [-33.8569444, 151.2111083];
      assert.deepEqual(await read(place), { latitude: -latitude * north, longitude: longitude * east });
    }
    const end = { GPSLatitude: '90/1 0/1 0/1', GPSLongitude: '180/1 0/1 0/1' };
    assert.deepEqual(await read({ ...whole, ...end }), { latitude: -90, longitude: 180 });
  });

  test('is none at 0, 0, which phones write to hide a place, but is one on the equator', async () => {
    const zero = { GPSLatitude: '0/1 0/1 0/1', GPSLongitude: '0/1 0/1 0/1' };
    assert.equal(await read({ ...whole, ...zero }), null);
    const equator = { ...whole, GPSLatitude: zero.GPSLatitude };
    assert.equal(JSON.stringify(await read(equator)), '{"latitude":0,"longitude":151.2111083}');
    const greenwich = { ...whole, GPSLongitude: zero.GPSLongitude };
    assert.equal(JSON.stringify(await read(greenwich)), '{"latitude":-33.8569444,"longitude":0}');
  });

  test('is none where a part is missing or makes no sense', async () => {
    for (const name of Object.keys(whole)) {
      const { [name as keyof typeof whole]: _, ...others } = whole;
      assert.equal(await read(others), null, `without ${name}`);
    }
    const wrong: Record<string, string>[] = [
      { GPSLatitude: '90/1 0/1 1/100' },
      { GPSLatitude: '89/1 60/1 1/1' },
      { GPSLongitude: '180/1 0/1 1/1' },
      { GPSLongitude: '4294967295/1 0/1 0/1' },
      { GPSLatitude: '0/0 0/0 0/0' },
      { GPSLatitude: '33/1 51/0 0/1' },
      { GPSLatitude: '33/1 51/1 0/0' },
      { GPSLatitudeRef: 'E' },
      { GPSLatitudeRef: 'X' },
      { GPSLongitudeRef: 'north of the river' },
    ];
    for (const part of wrong) assert.equal(await read({ ...whole, ...part }), null, JSON.stringify(part));
    const said = (value: unknown) => ({ value });
    const good = {
      GPSLatitudeRef: said(['N']),
      GPSLongitudeRef: said(['E']),
      GPSLongitude: said([
        [1, 1],
        [0, 1],
        [0, 1],
      ]),
    };
    for (const odd of [
      undefined,
      'here',
      33,
      [],
      [[33, 1]],
      [
        [33, 1],
        [51, 1],
      ],
      [33, 51, 0],
      [
        [-33, 1],
        [0, 1],
        [0, 1],
      ],
    ]) {
      assert.equal(readGeoLocation({ ...good, GPSLatitude: said(odd) }), null, JSON.stringify(odd));
    }
  });
});
