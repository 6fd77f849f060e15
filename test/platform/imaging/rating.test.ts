/** Tests which rating the metadata of a file has, and the offset of its clock from UTC. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  chooseMetadataFields,
  type FoundMetadata,
} from '../../../server/platform/imaging/metadata/sources.ts';
import { readXmpProperties } from '../../../server/platform/imaging/worker/metadata/xmp.ts';
import { createXmp } from '../../support/photo-metadata.ts';

const nothing: FoundMetadata = { exif: {}, xmp: {}, iptc: {}, png: {}, facts: {} };
const microsoft = 'xmlns:MicrosoftPhoto="http://ns.microsoft.com/photo/1.0/"';

function readXmp(attributes: string, exif: FoundMetadata['exif'] = {}) {
  const xmp = readXmpProperties(Buffer.from(createXmp(attributes)));
  return chooseMetadataFields({ ...nothing, xmp, exif });
}

test('reads the rating of XMP and Exif, as programs write it', () => {
  const cases: [attributes: string, rating: number][] = [
    ['xmp:Rating="4"', 4],
    ['xmp:Rating="5.0"', 5],
    ['xmp:Rating=" 3 "', 3],
    ['xmp:Rating="+2"', 2],
    ['xmp:Rating="0"', 0],
    ['xmp:Rating="-1"', 0],
    ['xmp:Rating="75"', 4],
    ['xmp:Rating="6000"', 0],
    ['xmp:Rating="many"', 0],
    ['xmp:Rating="NaN"', 0],
    [`${microsoft} MicrosoftPhoto:Rating="99"`, 5],
    [`${microsoft} MicrosoftPhoto:Rating="1"`, 1],
    [`${microsoft} MicrosoftPhoto:Rating="25" xmp:Rating="3"`, 3],
    [`${microsoft} MicrosoftPhoto:Rating="50"`, 3],
    ['', 0],
  ];
  for (const [attributes, rating] of cases) assert.equal(readXmp(attributes).rating, rating, attributes);
});

test('prefers the rating of XMP to that of Exif, also an XMP rating of 0', () => {
  const exif = { Rating: { value: 5 }, RatingPercent: { value: 99 } };
  const cases: [attributes: string, exif: FoundMetadata['exif'], rating: number][] = [
    ['', exif, 5],
    ['', { RatingPercent: { value: 50 } }, 3],
    ['', { Rating: { value: 65_535 } }, 0],
    ['', { Rating: { value: [4] } }, 0],
    ['xmp:Rating="2"', exif, 2],
    ['xmp:Rating="0"', exif, 0],
    ['xmp:Rating="-1"', exif, 0],
  ];
  for (const [attributes, tags, rating] of cases) assert.equal(readXmp(attributes, tags).rating, rating);
});

test('reads the offset from UTC of Exif and XMP', () => {
  const ofExif = (text: string) => ({ OffsetTimeOriginal: { value: [text] } });
  const cases: [attributes: string, exif: FoundMetadata['exif'], offset: number | null][] = [
    ['', ofExif('+09:00'), 32_400],
    ['', ofExif('-03:30'), -12_600],
    ['', ofExif('Z'), 0],
    ['', ofExif('+99:99'), null],
    ['', ofExif('   :  '), null],
    ['photoshop:DateCreated="2024-05-01T12:30:00+05:45"', {}, 20_700],
    ['photoshop:DateCreated="2024-05-01T12:30:00.123Z"', {}, 0],
    ['xmp:CreateDate="2024-05-01T12:30-0800"', {}, -28_800],
    ['photoshop:DateCreated="2024-05-01"', {}, null],
    ['photoshop:DateCreated="2024-05-01T12:30:00"', {}, null],
  ];
  for (const [attributes, exif, offset] of cases) assert.equal(readXmp(attributes, exif).timeOffset, offset);
});
