/** Tests which files of other galleries become photos, and which are thumbnails, tables or films. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readPhotoFacts } from '../../../server/tools/exchange/plan/facts.ts';
import { parseICloudTime } from '../../../server/tools/exchange/plan/icloud.ts';
import { planImport } from '../../../server/tools/exchange/plan/plan.ts';
import { createReceipt, formatReceipt } from '../../../server/tools/exchange/plan/receipt.ts';
import type { SourceFile } from '../../../server/tools/exchange/plan/source-file.ts';

type Files = Record<string, string>;

const readFrom = (files: Files) => async (file: SourceFile) => new TextEncoder().encode(files[file.path]);

/** Returns the photos with their albums, and the paths of ignored files. */
async function describePlan(files: Files) {
  const list = Object.keys(files).map((path) => ({
    path,
    bytes: files[path]!.length,
    modified: 0,
    source: 0,
  }));
  const plan = await planImport(list, readFrom(files));
  const photos = plan.photos.map(({ file, albums }) => [
    file.path,
    albums.map(({ album }) => plan.albums[album]!.name).join(', '),
  ]);
  const withOutcome = (outcome: string) =>
    plan.others.filter((other) => other.outcome === outcome).map(({ file }) => file.path);
  return {
    plan,
    photos: photos.sort(),
    ignored: withOutcome('ignored').sort(),
    refused: withOutcome('refused').sort(),
  };
}

const createFiles = (paths: string[]): Files => Object.fromEntries(paths.map((path) => [path, path]));

suite('folders of other galleries', () => {
  const layouts: [name: string, photos: [path: string, album: string][], ignored: string[]][] = [
    [
      'Immich',
      [
        ['immich/library/admin/2023/2023-05-01/a.jpg', ''],
        ['immich/library/admin/Wedding/b.jpg', 'Wedding'],
        ['immich/upload/0f6b9d3e-9d8c-4f7e-8a44-112233445566/ab/cd/c.jpg', ''],
      ],
      [
        'immich/thumbs/0f/c-preview.jpeg',
        'immich/encoded-video/x.mp4',
        'immich/profile/p.jpg',
        'immich/thumbs/.immich',
      ],
    ],
    [
      'Lychee',
      [['uploads/original/ab/cd/a.jpg', '']],
      ['uploads/medium/ab/cd/a.jpg', 'uploads/small2x/ab/cd/a.jpg', 'uploads/thumb/ab/cd/a.jpeg'],
    ],
    ['an old Lychee', [['uploads/big/a.jpg', '']], ['uploads/thumb/a.jpeg', 'uploads/small/a.jpg']],
    [
      'Piwigo',
      [
        ['piwigo/galleries/Trip/a.jpg', 'Trip'],
        ['piwigo/galleries/Trip/pwg_high/b.jpg', 'Trip'],
        ['piwigo/upload/2023/05/01/20230501-x.jpg', ''],
      ],
      [
        'piwigo/_data/i/galleries/Trip/a-th.jpg',
        'piwigo/galleries/Trip/pwg_representative/film.jpg',
        'piwigo/galleries/Trip/b.jpg',
        'piwigo/galleries/Trip/thumbnail/TN-a.jpg',
        'piwigo/themes/default/icon.png',
      ],
    ],
    [
      'a network drive',
      [['Trip/a.jpg', 'Trip']],
      ['Trip/@eaDir/a.jpg/SYNOPHOTO_THUMB_M.jpg', '#recycle/b.jpg', '.thumbnails/a.jpg', 'Trip/Thumbs.db'],
    ],
    [
      'a folder named thumb',
      [
        ['thumb/a.jpg', 'thumb'],
        ['small/b.jpg', 'small'],
      ],
      [],
    ],
    [
      'a folder named library',
      [
        ['library/a.jpg', 'library'],
        ['thumbs/b.jpg', 'thumbs'],
      ],
      [],
    ],
  ];
  for (const [name, photos, ignored] of layouts) {
    test(`of ${name} give their originals alone`, async () => {
      const found = await describePlan(createFiles([...photos.map(([path]) => path), ...ignored]));
      assert.deepEqual(found.photos, photos.toSorted());
      assert.deepEqual(found.ignored, ignored.toSorted());
    });
  }

  test('of an export are albums, whatever their names are', async () => {
    const album = (name: string) => JSON.stringify({ schema: 'lightwell-album', name });
    const { photos } = await describePlan({
      'lightwell.json': '{"schema": "lightwell-export"}',
      'Photos from 2019/a.jpg': 'a',
      'Photos from 2019/album.json': album('Photos from 2019'),
      'Trash/Trip/b.jpg': 'b',
    });
    assert.deepEqual(photos, [
      ['Photos from 2019/a.jpg', 'Photos from 2019'],
      ['Trash/Trip/b.jpg', 'Trip'],
    ]);
  });
});

suite('a copy of iCloud', () => {
  const files: Files = {
    'iCloud Photos/Photos/IMG_1.HEIC': '1',
    'iCloud Photos/Photos/IMG_1.MOV': 'film',
    'iCloud Photos/Photos/IMG_1.AAE': 'edits',
    'iCloud Photos/Photos/IMG_2.JPG': '2',
    'iCloud Photos/Photos/Photo Details.csv':
      'imgName,fileChecksum,favorite,hidden,deleted,originalCreationDate,viewCount,importDate\r\n' +
      'IMG_1.HEIC,x,yes,no,no,"Saturday December 28,2019 6:53 PM GMT",10,x\r\n' +
      'IMG_2.JPG,x,no,yes,yes,"nonsense",0,x\r\n',
    'iCloud Photos/Albums/Trip.csv': 'Images\r\nIMG_2.JPG\r\nIMG_1.HEIC\r\nmissing.jpg\r\n',
    'iCloud Photos/Albums/Home.csv': 'Images\nIMG_1.HEIC\n',
    'iCloud Photos/Memories/Summer.csv': 'Images\nIMG_1.HEIC\n',
  };

  test('has its albums from tables, and a photo in two of them', async () => {
    const { photos, ignored, refused, plan } = await describePlan(files);
    assert.deepEqual(photos, [
      ['iCloud Photos/Photos/IMG_1.HEIC', 'Home, Trip'],
      ['iCloud Photos/Photos/IMG_2.JPG', 'Trip'],
    ]);
    assert.deepEqual(refused, []);
    assert.deepEqual(
      ignored.map((path) => path.split('/').pop()),
      ['Summer.csv', 'IMG_1.AAE', 'IMG_1.MOV'],
    );
    const facts = await Promise.all(plan.photos.map((photo) => readPhotoFacts(photo, readFrom(files))));
    assert.deepEqual(
      facts.map(({ isFavorite, isArchived, isTrashed, takenTime }) => [
        isFavorite,
        isArchived,
        isTrashed,
        takenTime,
      ]),
      [
        [true, false, false, Date.UTC(2019, 11, 28, 18, 53) / 1000],
        [false, true, true, undefined],
      ],
    );
  });

  test('has dates of one form', () => {
    const rows: [string, string][] = [
      ['Saturday December 28,2019 6:53 PM GMT', '2019-12-28T18:53:00.000Z'],
      ['Sunday January 1,2023 12:05 AM GMT', '2023-01-01T00:05:00.000Z'],
      ['Sunday January 1, 2023 12:05\u202fPM GMT', '2023-01-01T12:05:00.000Z'],
      ['Friday February 30,2024 1:00 PM GMT', ''],
      ['yesterday', ''],
    ];
    for (const [text, expected] of rows) {
      const time = parseICloudTime(text);
      assert.equal(time === undefined ? '' : new Date(time * 1000).toISOString(), expected, text);
    }
  });
});

suite('XMP files', () => {
  const rows: [xmp: string, others: string[], photo: string | undefined][] = [
    ['a.jpg.xmp', [], 'a.jpg'],
    ['a.xmp', [], 'a.jpg'],
    ['A.JPG.XMP', [], 'a.jpg'],
    ['a.xmp', ['a.jpg.xmp'], undefined],
    ['a_01.jpg.xmp', ['a.jpg.xmp'], undefined],
    ['a_01.jpg.xmp', ['a_01.jpg'], 'a_01.jpg'],
    ['b.xmp', [], undefined],
    ['a.heic.xmp', [], undefined],
  ];
  for (const [xmp, others, photo] of rows) {
    test(`${xmp} beside ${['a.jpg', ...others].join(', ')} describes ${photo ?? 'nothing'}`, async () => {
      const { plan } = await describePlan(createFiles(['a.jpg', xmp, ...others]));
      const described = plan.photos.find((each) => each.xmp?.path === xmp)?.file.path;
      assert.equal(described, photo);
      assert.equal(plan.others.find(({ file }) => file.path === xmp)?.outcome, photo ? 'sidecar' : 'ignored');
    });
  }
});

test('files that are no photos by their names are refused without being read', async () => {
  const names = ['a.mp4', 'b.zip', 'c.txt', 'd.PDF', 'e.tar', 'f.mkv', 'g.csv'];
  const { refused, photos } = await describePlan(createFiles(names));
  assert.deepEqual([refused, photos], [names.toSorted(), []]);
});

test('the receipt has each file once, and no formula for a spreadsheet', async () => {
  const files = createFiles([
    '=1+1.jpg',
    '+2.jpg',
    '-3.txt',
    '@sum.jpg',
    'a"b,c.jpg',
    ' =x.jpg',
    '=x/＝y.mov',
  ]);
  const { plan } = await describePlan(files);
  const receipt = createReceipt(plan);
  const counts = receipt.count();
  assert.equal(
    Object.values(counts).reduce((sum, count) => sum + count),
    Object.keys(files).length,
  );
  const [, ...lines] = [...formatReceipt(receipt, ['=source'])];
  for (const line of lines) assert.doesNotMatch(line, /(?:^|,)"?\s*[=+\-@＝]/u);
  assert.ok(lines.some((line) => line.includes('"a""b,c.jpg"')));
});
