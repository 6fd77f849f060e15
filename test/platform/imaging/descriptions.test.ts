/** Tests titles, descriptions, tags and other fields that a file's metadata has. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { readXmpProperties } from '../../../server/platform/imaging/worker/metadata/xmp.ts';
import { sharp } from '../../../server/platform/imaging/worker/sharp.ts';
import {
  createExifBlock,
  createExifSegment,
  createJpegWith,
  createPngChunk,
} from '../../support/hostile-metadata.ts';
import {
  addSegment,
  createIptc,
  createPhoto,
  createPngPhoto,
  createPngText,
  createXmp,
  createXmpList,
  type WrittenMetadata,
} from '../../support/photo-metadata.ts';
import { readThreadMs } from '../../support/thread-time.ts';
import { createFolder, startImaging } from './pictures.ts';

const write = createFolder();
const imaging = startImaging();

async function read(metadata: WrittenMetadata | Buffer) {
  const file = Buffer.isBuffer(metadata) ? metadata : await createPhoto(metadata);
  return imaging.exif(write('described.jpg', file), {});
}

suite('title and description', () => {
  const alternatives =
    '<dc:title><rdf:Alt><rdf:li xml:lang="de">Grat</rdf:li><rdf:li xml:lang="x-default">Ridge</rdf:li>' +
    '</rdf:Alt></dc:title><dc:description><rdf:Alt><rdf:li xml:lang="x-default">A ridge &amp; a lake&#xA;' +
    'at dawn</rdf:li></rdf:Alt></dc:description>';
  const iptc: [number, string][] = [
    [5, 'Object'],
    [120, 'Caption'],
  ];
  const IFD0 = { ImageDescription: 'From Exif' };

  test('come from XMP, then IPTC, then Exif', async () => {
    const first = await read({ xmp: createXmp('', alternatives), iptc, IFD0 });
    assert.deepEqual([first.title, first.description], ['Ridge', 'A ridge & a lake\nat dawn']);
    const second = await read({ iptc, IFD0 });
    assert.deepEqual([second.title, second.description], ['Object', 'Caption']);
    const third = await read({ IFD0 });
    assert.deepEqual([third.title, third.description], ['', 'From Exif']);
  });

  test('leave out what a camera writes into every file', async () => {
    const texts = [
      'OLYMPUS DIGITAL CAMERA         ',
      'SONY DSC',
      'dav',
      'SAMSUNG',
      '<Digimax i5, Samsung #1>',
      ' . ',
    ];
    for (const ImageDescription of texts) {
      const { description } = await read({ IFD0: { ImageDescription, Make: 'SAMSUNG' } });
      assert.equal(description, '', ImageDescription);
    }
    assert.equal((await read({ IFD0: { ImageDescription: 'Sony DSC test' } })).description, 'Sony DSC test');
  });

  test('are cut, and lose control and direction characters', async () => {
    const long = 'x'.repeat(3000);
    const { title, description } = await read({
      xmp: createXmp('', createXmpList('dc:title', [`a\u202eb ${long}`], 'Alt')),
      IFD0: { ImageDescription: long },
    });
    assert.deepEqual([title.length, description.length], [200, 2000]);
    assert.match(title, /^a b x/);
  });

  test('are read from XMP of a PNG after its pixels, also compressed', async () => {
    const packet = Buffer.from(createXmp('', createXmpList('dc:title', ['Été'], 'Alt')));
    const head = 'XML:com.adobe.xmp\0';
    const plain = Buffer.concat([Buffer.from(`${head}\0\0\0\0`), packet]);
    const compressed = Buffer.concat([Buffer.from(`${head}\x01\0\0\0`), deflateSync(packet)]);
    for (const data of [plain, compressed]) {
      const png = await createPngPhoto([createPngChunk('iTXt', data)], true);
      assert.equal((await read(png)).title, 'Été');
    }
    const bomb = Buffer.concat([Buffer.from(`${head}\x01\0\0\0`), deflateSync(Buffer.alloc(4_000_000))]);
    assert.equal((await read(await createPngPhoto([createPngChunk('iTXt', bomb)], true))).title, '');
  });

  test('are read from XMP of a GIF', async () => {
    const gif = await sharp(await createPhoto())
      .gif()
      .toBuffer();
    const packet = Buffer.from(createXmp('', createXmpList('dc:title', ['Été'], 'Alt')));
    const trailer = Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0]);
    const head = Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1');
    const extension = Buffer.concat([head, packet, trailer]);
    const file = Buffer.concat([gif.subarray(0, -1), extension, gif.subarray(-1)]);
    assert.equal((await read(file)).title, 'Été');
    assert.equal((await read(gif)).title, '');
  });

  test('are read from XMP in UTF-16 and in Latin-1', async () => {
    const packet = createXmp('', createXmpList('dc:title', ['Été'], 'Alt'));
    const utf16 = Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(packet, 'utf16le').swap16()]);
    assert.deepEqual(readXmpProperties(utf16).title, ['Été']);
    assert.deepEqual(readXmpProperties(Buffer.from(packet.replace('\ufeff', ''), 'latin1')).title, ['Été']);
  });
});

suite('tags', () => {
  test('come from XMP, the leaves of hierarchies, and IPTC', async () => {
    const { tags } = await read({
      xmp: createXmp(
        '',
        createXmpList('dc:subject', ['alps', 'snow, fresh']) +
          createXmpList('lr:hierarchicalSubject', ['Places|Alps|Zermatt']),
      ),
      iptc: [
        [25, 'alps'],
        [25, 'été'],
      ],
      isUtf8: true,
    });
    assert.deepEqual(tags, ['alps', 'snow, fresh', 'Zermatt', 'été']);
  });

  test('of IPTC without a mark are Latin-1', async () => {
    assert.deepEqual((await read({ iptc: [[25, 'été']] })).tags, ['été']);
    assert.deepEqual((await read({ iptc: [[25, 'L\x92été']] })).tags, ['L’été']);
  });
});

suite('blocks that ImageMagick writes as text of a PNG', () => {
  const createProfile = (name: string, block: Buffer) => {
    const hex = block.toString('hex').replace(/.{72}/g, '$&\n');
    return createPngText(`Raw profile type ${name}`, `\n${name}\n${block.length}\n${hex}\n`);
  };

  test('are read like blocks of a JPEG', async () => {
    const { exif } = await sharp(await createPhoto({ IFD0: { ImageDescription: 'A ridge' } })).metadata();
    const segment = createIptc([[25, 'alps']]);
    for (const iptc of [segment, segment.subarray(14), segment.subarray(26)]) {
      const chunks = [createProfile('exif', exif!), createProfile('iptc', iptc)];
      const { description, tags } = await read(await createPngPhoto(chunks, true));
      assert.deepEqual([description, tags], ['A ridge', ['alps']]);
    }
    const broken = await createPngPhoto([createPngText('Raw profile type exif', '\nexif\n9\nxyz')]);
    assert.equal((await read(broken)).description, '');
  });
});

suite('the sensitivity', () => {
  const iso = async (IFD2: Record<string, string>) => (await read({ IFD2 })).iso;
  test('above 65,535 stands in other tags', async () => {
    assert.equal(await iso({ ISOSpeedRatings: '65535', RecommendedExposureIndex: '102400' }), 102_400);
    assert.equal(await iso({ ISOSpeedRatings: '65535', ISOSpeed: '204800' }), 204_800);
    assert.equal(await iso({ ISOSpeed: '3200' }), 3200);
    assert.equal(await iso({ ISOSpeedRatings: '400', RecommendedExposureIndex: '102400' }), 400);
    assert.equal(await iso({ ISOSpeedRatings: '65535' }), 65_535);
  });
});

suite('a damaged block', () => {
  const good: WrittenMetadata = { IFD0: { ImageDescription: 'Still here' }, iptc: [[25, 'alps']] };

  test('loses itself and nothing else', async () => {
    const packets = ['<x:xmpmeta>', createXmp('', '<dc:title>'), createXmp('dc:title="a" dc:title="b"'), 'x'];
    packets.push(`<!DOCTYPE a [<!ENTITY b "c">]>${createXmp('', '<dc:title>&b;</dc:title>')}`);
    for (const xmp of packets) {
      const { description, tags, title } = await read({ ...good, xmp });
      assert.deepEqual([description, tags, title], ['Still here', ['alps'], ''], xmp);
    }
    const xmp = createXmp('', createXmpList('dc:subject', ['lake']));
    const cut = Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x40\x1c\x02\x19\xff\xff', 'latin1');
    const broken = addSegment(await createPhoto({ xmp, IFD0: good.IFD0! }), cut);
    const { description, tags } = await read(broken);
    assert.deepEqual([description, tags], ['Still here', ['lake']]);
    const exif = createExifSegment(createExifBlock([[8, [[0x010e, 2, 4_000_000, 4_000_000]]]]));
    assert.equal((await read(await createJpegWith(exif))).description, '');
  });

  test('takes little time, however it is made', () => {
    const bytes = 1024 * 1024;
    const fill = (text: string) => text.repeat(Math.floor((bytes - 1000) / text.length));
    const attributes = Array.from({ length: 60_000 }, (_, index) => `a${index}="1"`).join(' ');
    const hostile = [
      createXmp('', fill('<dc:a>')),
      createXmp('', fill('<dc:a/>')),
      createXmp('', createXmpList('dc:subject', Array(19_000 / 2).fill('a'.repeat(80)))),
      createXmp(attributes.slice(0, bytes - 2000)),
      createXmp(Array.from({ length: 19_000 }, (_, index) => `a${index}="1"`).join(' ')),
      createXmp(Array.from({ length: 19_000 }, (_, index) => `xmlns:a${index}="1"`).join(' ')),
      createXmp('', '<dc:a>'.repeat(9_000) + '</dc:a>'.repeat(9_000)),
      createXmp('', fill('&amp;')),
      createXmp('', fill('<!-- -')),
      fill('<rdf:RDF'),
    ];
    for (const packet of hostile) {
      const start = readThreadMs();
      readXmpProperties(Buffer.from(packet));
      const ms = readThreadMs() - start;
      assert.ok(ms < 1000, `${packet.slice(0, 500)}: ${Math.round(ms)} ms`);
    }
  });
});
