/** Tests ten further examples for each kind of text, place and sensitivity that files of other programs have. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { maxTags, trimTags } from '../../../server/gallery/library/tags.ts';
import {
  chooseMetadataFields,
  type FoundMetadata,
} from '../../../server/platform/imaging/metadata/sources.ts';
import { readXmpProperties } from '../../../server/platform/imaging/worker/metadata/xmp.ts';
import { createXmp, createXmpList } from '../../support/photo-metadata.ts';

const nothing: FoundMetadata = { exif: {}, xmp: {}, iptc: {}, png: {}, facts: {} };

function choose(found: Partial<FoundMetadata>) {
  return chooseMetadataFields({ ...nothing, ...found });
}

function readXmp(elements: string, attributes = '') {
  return { xmp: readXmpProperties(Buffer.from(createXmp(attributes, elements))) };
}

const windowsText = (text: string) => ({ value: [...Buffer.from(`${text}\0`, 'utf16le')] });

suite('keywords', () => {
  const many = Array.from({ length: 40 }, (_, n) => `tag ${n}`);
  const examples: [kind: string, found: Partial<FoundMetadata>, tags: string[]][] = [
    ['a list in order', readXmp(createXmpList('dc:subject', ['alps', 'snow'], 'Seq')), ['alps', 'snow']],
    ['one text without a list', readXmp('<dc:subject>alps</dc:subject>'), ['alps']],
    ['an attribute', readXmp('', 'dc:subject="alps"'), ['alps']],
    ['the same word in two letter cases', { iptc: { Keywords: ['Alps', 'alps', 'ALPS'] } }, ['Alps']],
    ['more than 30 words', { iptc: { Keywords: many } }, many.slice(0, maxTags)],
    [
      'words of Windows with semicolons',
      { exif: { XPKeywords: windowsText('alps;snow; ;lake') } },
      ['alps', 'snow', 'lake'],
    ],
    ['a hierarchy of one level', readXmp(createXmpList('lr:hierarchicalSubject', ['alps'])), ['alps']],
    ['Chinese and emoji', readXmp(createXmpList('dc:subject', ['雪山', '🏔️'])), ['雪山', '🏔️']],
    ['blanks and empty words', { iptc: { Keywords: ['', '  ', ' alps '] } }, ['alps']],
    ['a name with a comma', { iptc: { Keywords: ['Curie, Marie'] } }, ['Curie, Marie']],
    ['line breaks inside a word', { iptc: { Keywords: ['high\nalps', 'a\tb'] } }, ['high alps', 'a b']],
    ['markup', readXmp(createXmpList('dc:subject', ['&lt;b&gt;alps&lt;/b&gt;'])), ['<b>alps</b>']],
  ];
  for (const [kind, found, tags] of examples) {
    test(`with ${kind} are tags`, () => {
      assert.deepEqual(trimTags(choose(found).tags).slice(0, maxTags), tags);
    });
  }
});

suite('a caption', () => {
  const alt = (language: string, text: string) =>
    `<dc:description><rdf:Alt><rdf:li xml:lang="${language}">${text}</rdf:li></rdf:Alt></dc:description>`;
  const exif = (text: string, Make = 'Acme') => ({
    exif: { ImageDescription: { value: [text] }, Make: { value: [Make] } },
  });
  const examples: [kind: string, found: Partial<FoundMetadata>, description: string][] = [
    ['in one language only', readXmp(alt('de-DE', 'Am Grat')), 'Am Grat'],
    ['as plain text of XMP', readXmp('<dc:description>At the ridge</dc:description>'), 'At the ridge'],
    ['in CDATA', readXmp(alt('x-default', '<![CDATA[Ridge & lake]]>')), 'Ridge & lake'],
    ['of Windows', { exif: { XPComment: windowsText('Vor dem Gipfel') } }, 'Vor dem Gipfel'],
    ['with line ends of a Mac', { iptc: { 'Caption/Abstract': ['one\rtwo'] } }, 'one\ntwo'],
    ['of blanks', exif('        '), ''],
    ['of NUL characters', exif('\0\0\0\0'), ''],
    ['of an Olympus', exif('OLYMPUS DIGITAL CAMERA         ', 'OLYMPUS IMAGING CORP.'), ''],
    ['of a Minolta', exif('MINOLTA DIGITAL CAMERA', 'Minolta Co., Ltd.'), ''],
    ['of a Sony', exif('SONY DSC', 'SONY'), ''],
    ['of a drone', exif('DCIM\\100MEDIA\\DJI_0032.JPG', 'DJI'), ''],
    [
      'that names a camera among other words',
      exif('My new OLYMPUS camera', 'OLYMPUS'),
      'My new OLYMPUS camera',
    ],
  ];
  for (const [kind, found, description] of examples) {
    test(`${kind} is ${description === '' ? 'no description' : 'a description'}`, () => {
      assert.equal(choose(found).description, description);
    });
  }
});

suite('a place', () => {
  type Degrees = [number, number][];
  const degrees = (...parts: Degrees) => ({ value: parts });
  const gps = (latitude: Degrees, longitude: Degrees, [ns, ew] = ['N', 'E']) => ({
    exif: {
      GPSLatitudeRef: { value: [ns] },
      GPSLatitude: degrees(...latitude),
      GPSLongitudeRef: { value: [ew] },
      GPSLongitude: degrees(...longitude),
    },
  });
  const xmpPlace = (latitude: string, longitude: string) =>
    readXmp('', `exif:GPSLatitude="${latitude}" exif:GPSLongitude="${longitude}"`);
  const zero: Degrees = [
    [0, 1],
    [0, 1],
    [0, 1],
  ];
  const blanked: Degrees = [
    [0, 0],
    [0, 0],
    [0, 0],
  ];
  const near: Degrees = [
    [0, 1],
    [0, 1],
    [1, 1],
  ];
  const examples: [kind: string, found: object, place: [number, number] | null][] = [
    ['of zeros', gps(zero, zero), null],
    ['of zeros by zero', gps(blanked, blanked), null],
    ['of zeros in the south west', gps(zero, zero, ['S', 'W']), null],
    ['of zeros in XMP', xmpPlace('0,0.0N', '0,0.0E'), null],
    ['of zeros in Takeout', { facts: { takeoutLocation: undefined } }, null],
    ['a second away from zero', gps(near, near), [0.0002778, 0.0002778]],
    [
      'on the equator',
      gps(zero, [
        [9, 1],
        [0, 1],
        [0, 1],
      ]),
      [0, 9],
    ],
    [
      'in Greenwich',
      gps(
        [
          [51, 1],
          [0, 1],
          [0, 1],
        ],
        zero,
      ),
      [51, 0],
    ],
    ['in minutes of XMP', xmpPlace('33,51.5S', '151,12.25E'), [-33.8583333, 151.2041667]],
    ['in seconds of XMP', xmpPlace('33,51,30N', '151,12,15W'), [33.8583333, -151.2041667]],
    ['without a longitude', readXmp('', 'exif:GPSLatitude="33,51.5S"'), null],
    ['beyond the pole', xmpPlace('91,0.0N', '10,0.0E'), null],
  ];
  for (const [kind, found, place] of examples) {
    test(`${kind} is ${place ? 'read' : 'none'}`, () => {
      const { location } = choose(found);
      assert.deepEqual(location && [location.latitude, location.longitude], place);
    });
  }
});

suite('a sensitivity', () => {
  const tags = (values: Record<string, unknown>) => ({
    exif: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
  });
  const examples: [kind: string, found: object, iso: number][] = [
    ['a list of two numbers', tags({ ISOSpeedRatings: [400, 0] }), 400],
    ['zero beside another tag', tags({ ISOSpeedRatings: 0, RecommendedExposureIndex: 800 }), 800],
    ['ISO speed alone', tags({ ISOSpeed: 3200 }), 3200],
    ['standard output alone', tags({ StandardOutputSensitivity: 6400 }), 6400],
    [
      'the largest number of 16 bits with another tag',
      tags({ ISOSpeedRatings: 65_535, RecommendedExposureIndex: 409_600 }),
      409_600,
    ],
    ['the largest number of 16 bits alone', tags({ ISOSpeedRatings: 65_535 }), 65_535],
    [
      'the largest number of 16 bits twice',
      tags({ ISOSpeedRatings: 65_535, RecommendedExposureIndex: 0, ISOSpeed: 102_400 }),
      102_400,
    ],
    ['a list of XMP', readXmp(createXmpList('exif:ISOSpeedRatings', ['1600'], 'Seq')), 1600],
    ['a word', tags({ ISOSpeedRatings: 'auto' }), 0],
    ['below zero', tags({ ISOSpeedRatings: -200 }), 0],
    ['nothing', tags({}), 0],
  ];
  for (const [kind, found, iso] of examples) {
    test(`of ${kind} is ${iso}`, () => assert.equal(choose(found).iso, iso));
  }
});
