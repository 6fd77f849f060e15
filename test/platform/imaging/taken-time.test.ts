/** Tests where the capture time of a photo comes from, and which spellings of dates are read. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { FileFacts } from '../../../server/platform/imaging/metadata/fields.ts';
import { parseFileNameTime } from '../../../server/platform/imaging/metadata/name-time.ts';
import {
  parseTimeZoneOffset,
  parseWallClock,
  parseXmpTime,
} from '../../../server/platform/imaging/metadata/wall-clock.ts';
import {
  createExifBlock,
  createExifSegment,
  createJpegWith,
  type ExifEntry,
} from '../../support/hostile-metadata.ts';
import {
  createPhoto,
  createPngPhoto,
  createPngText,
  createXmp,
  type WrittenMetadata,
} from '../../support/photo-metadata.ts';
import { createFolder, startImaging } from './pictures.ts';

const write = createFolder();
const imaging = startImaging();

function format(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '';
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

const seconds = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`) / 1000;

async function readTime(metadata: WrittenMetadata | Buffer, facts: FileFacts = {}): Promise<string> {
  const file = Buffer.isBuffer(metadata) ? metadata : await createPhoto(metadata);
  return format((await imaging.exif(write('time.jpg', file), { facts })).takenTime);
}

suite('the capture time', () => {
  test('is the wall clock of the place, whatever the offset', async () => {
    const IFD2 = { DateTimeOriginal: '2024:01:01 08:30:00', OffsetTimeOriginal: '+09:00' };
    assert.equal(await readTime({ IFD2 }), '2024-01-01 08:30:00');
  });

  const xmp = createXmp(
    'photoshop:DateCreated="2004-01-01T01:00:00" exif:DateTimeOriginal="2005-01-01T01:00:00+02:00" ' +
      'xmp:CreateDate="2006-01-01T01:00"',
  );
  const all: WrittenMetadata = {
    IFD0: { DateTime: '2009:01:01 01:00:00' },
    IFD2: {
      DateTimeOriginal: '2002:01:01 01:00:00',
      DateTimeDigitized: '2003:01:01 01:00:00',
      OffsetTime: '+05:30',
    },
    IFD3: { GPSDateStamp: '2010:01:01', GPSTimeStamp: '1/1 0/1 0/1' },
    xmp,
    iptc: [
      [55, '20070101'],
      [60, '010000+0100'],
    ],
  };
  const facts: FileFacts = {
    name: 'IMG_20110101_010000.jpg',
    fileTime: seconds('2012-01-01 01:00:00'),
  };

  test('comes from the first source that has one', async () => {
    const { IFD0, IFD2, IFD3, iptc } = all;
    const { OffsetTime, DateTimeDigitized } = IFD2!;
    const order: [string, WrittenMetadata, FileFacts][] = [
      ['2001-01-01 01:00:00', all, { ...facts, sidecar: { DateCreated: ['2001-01-01T01:00:00'] } }],
      ['2002-01-01 01:00:00', all, facts],
      ['2003-01-01 01:00:00', { ...all, IFD2: { DateTimeDigitized: DateTimeDigitized! } }, facts],
      ['2004-01-01 01:00:00', { IFD0: IFD0!, IFD3: IFD3!, xmp, iptc: iptc! }, facts],
      ['2005-01-01 01:00:00', { iptc: iptc!, xmp: xmp.replace('photoshop:Date', 'photoshop:No') }, facts],
      ['2006-01-01 01:00:00', { xmp: createXmp('xmp:CreateDate="2006-01-01T01:00"') }, facts],
      ['2007-01-01 01:00:00', { IFD0: IFD0!, IFD3: IFD3!, iptc: iptc! }, facts],
      ['2009-01-01 01:00:00', { IFD0: IFD0!, IFD3: IFD3! }, facts],
      ['2010-01-01 06:30:00', { IFD2: { OffsetTime: OffsetTime! }, IFD3: IFD3! }, facts],
      ['2010-01-01 01:00:00', { IFD3: IFD3! }, facts],
      ['2011-01-01 01:00:00', {}, facts],
      ['2012-01-01 01:00:00', {}, { ...facts, name: 'DSC_99887766.jpg' }],
      ['', {}, { name: 'DSC_99887766.jpg' }],
    ];
    for (const [expected, metadata, known] of order) assert.equal(await readTime(metadata, known), expected);
  });

  test('comes from the text of a PNG, before or after its pixels', async () => {
    const text = createPngText('Creation Time', 'Sat, 26 Jul 2014 18:44:00 +0200');
    for (const isAfter of [false, true]) {
      assert.equal(await readTime(await createPngPhoto([text], isAfter), facts), '2014-07-26 18:44:00');
    }
  });

  test('is read from the first directory of Exif, where scanners write it', async () => {
    const entry: ExifEntry = [0x9003, 2, 20, 0];
    const block = createExifBlock([
      [8, [entry, [0x8769, 4, 1, 60]]],
      [60, [[0x8827, 3, 1, 100]]],
    ]);
    block.writeUInt32LE(block.length, 8 + 2 + 8);
    const text = Buffer.from('2014:07:26 18:44:00\0');
    const file = await createJpegWith(createExifSegment(Buffer.concat([block, text])));
    assert.equal(await readTime(file), '2014-07-26 18:44:00');
  });

  test('comes from Takeout after the file, moved by the offset of the file', async () => {
    const takeout = { ...facts, takeoutTime: seconds('2013-06-30 23:30:00') };
    assert.equal(await readTime(all, takeout), '2002-01-01 01:00:00');
    assert.equal(await readTime({}, takeout), '2013-06-30 23:30:00');
    assert.equal(await readTime({ IFD2: { OffsetTimeOriginal: '+02:00' } }, takeout), '2013-07-01 01:30:00');
  });

  test('is moved from UTC to the clock of the place, with its summer time', async () => {
    const rows: [string, string, number, number, string][] = [
      ['Rome in summer', '2019-06-30 23:30:00', 41.9, 12.5, '2019-07-01 01:30:00'],
      ['Rome in winter', '2019-01-01 23:30:00', 41.9, 12.5, '2019-01-02 00:30:00'],
      ['Kathmandu', '2019-01-01 23:30:00', 27.7, 85.3, '2019-01-02 05:15:00'],
      ['Kiritimati', '2019-01-01 12:00:00', 1.87, -157.43, '2019-01-02 02:00:00'],
      ['the Pacific', '2019-01-01 12:00:00', 0, -170, '2019-01-01 01:00:00'],
      ['the South Pole', '2019-01-01 12:00:00', -90, 0, '2019-01-02 01:00:00'],
      ['New York before the epoch', '1969-07-20 20:17:40', 40.7, -74, '1969-07-20 16:17:40'],
      ['Lord Howe, which moves half an hour', '2019-07-01 12:00:00', -31.55, 159.08, '2019-07-01 22:30:00'],
      ['Samoa before it changed the day', '2011-12-29 12:00:00', -13.8, -171.8, '2011-12-29 02:00:00'],
      ['Chatham, 13 hours and 45 minutes ahead', '2019-01-01 12:00:00', -43.9, -176.5, '2019-01-02 01:45:00'],
    ];
    for (const [place, utc, latitude, longitude, expected] of rows) {
      const known = { takeoutTime: seconds(utc), takeoutLocation: { latitude, longitude } };
      assert.equal(await readTime({ IFD2: { OffsetTime: '+03:00' } }, known), expected, place);
    }
    const gps = {
      GPSDateStamp: '2019:06:30',
      GPSTimeStamp: '23/1 30/1 0/1',
      GPSLatitudeRef: 'N',
      GPSLatitude: '41/1 54/1 0/1',
      GPSLongitudeRef: 'E',
      GPSLongitude: '12/1 30/1 0/1',
    };
    assert.equal(await readTime({ IFD3: gps }), '2019-07-01 01:30:00', 'GPS time in the file');
  });

  test('is none of a clock that was never set or lies in the future', async () => {
    const none = { IFD2: { DateTimeOriginal: '0000:00:00 00:00:00' } };
    assert.equal(await readTime(none), '');
    assert.equal(
      await readTime({ ...none, IFD0: { DateTime: '2014:07:26 18:44:00' } }),
      '2014-07-26 18:44:00',
    );
    const now = seconds('2024-05-01 12:00:00');
    const ahead = (time: string) => readTime({ IFD2: { DateTimeOriginal: time } }, { now, fileTime: 7 });
    assert.equal(await ahead('2024:05:02 02:00:00'), '2024-05-02 02:00:00', 'New Zealand is 12 hours ahead');
    assert.equal(await ahead('2024:05:03 02:00:00'), '1970-01-01 00:00:07');
    assert.equal(await ahead('2099:01:01 00:00:00'), '1970-01-01 00:00:07');
    const early = { GPSDateStamp: '1000:01:01', GPSTimeStamp: '1/1 0/1 0/1' };
    assert.equal(
      await readTime({ IFD2: { OffsetTime: '-05:00' }, IFD3: early }),
      '',
      'a year of three digits',
    );
    assert.equal(await readTime({}, { takeoutTime: -200_000_000_000 }), '');
  });
});

suite('the spelling of a date', () => {
  const READ: [text: string, time: string][] = [
    ['2024:05:01 12:30:00', '2024-05-01 12:30:00'],
    ['2024:05:01 12:30', '2024-05-01 12:30:00'],
    ['2024: 5: 1  8: 3: 9', '2024-05-01 08:03:09'],
    ['2024:5:1 8:03', '2024-05-01 08:03:00'],
    ['2024-05-01T12:30:00.123+09:00', '2024-05-01 12:30:00'],
    ['2024-05-01T12:30Z', '2024-05-01 12:30:00'],
    ['2024/05/01 12:30:00', '2024-05-01 12:30:00'],
    ['2024.05.01 12.30.00', '2024-05-01 12:30:00'],
    ['20240501', '2024-05-01 00:00:00'],
    ['20240501T123000', '2024-05-01 12:30:00'],
    ['20240501123000', '2024-05-01 12:30:00'],
    ['20240501 123000+0200', '2024-05-01 12:30:00'],
    ['2024:05:01', '2024-05-01 00:00:00'],
    ['2024:05:01   :  :  ', '2024-05-01 00:00:00'],
    ['2024:05:01 24:00:00', '2024-05-02 00:00:00'],
    ['2015:08:22 24:08:19', '2015-08-22 00:08:19'],
    ['2016:12:31 23:59:60', '2017-01-01 00:00:00'],
    ['2014:07:26 06:44:00 PM', '2014-07-26 18:44:00'],
    ['2014:07:26 12:44:00 am', '2014-07-26 00:44:00'],
    ['26 Jul 2014 18:44:00', '2014-07-26 18:44:00'],
    ['Sat Jul 26 18:44:00 2014', '2014-07-26 18:44:00'],
    ['1923:04:05 00:00:00', '1923-04-05 00:00:00'],
  ];
  for (const [text, time] of READ) {
    test(`reads "${text}"`, () => assert.equal(format(parseWallClock(text)), time));
  }

  const NONE: unknown[] = ['0000:00:00 00:00:00', '    :  :     :  :  ', '2009:02:30 00:00:00', '2024:13:01'];
  NONE.push(
    '2009:08:29 25:00:00',
    '2009:08:29 12:61:00',
    '2024:05:01 12',
    '2024:05:00 00:00:00',
    '',
    12,
    null,
  );
  NONE.push('07/26/14', '26/07/2014 18:44', '2014', '2014-07', '2024:05:01 123:30', '2024:05:01 13:00 PM', [
    'x',
  ]);
  test('reads nothing with no meaning or several', () => {
    for (const text of NONE) assert.equal(parseWallClock(text), undefined, String(text));
  });

  test('may be a year or a month in XMP', () => {
    assert.equal(format(parseXmpTime('1985')), '1985-01-01 00:00:00');
    assert.equal(format(parseXmpTime('1985-07')), '1985-07-01 00:00:00');
    assert.equal(parseXmpTime('0000'), undefined);
  });

  test('has an offset in hours and minutes', () => {
    const read = ['+09:00', '-03:30', 'Z', '+0200', '', 'CET', undefined].map(parseTimeZoneOffset);
    assert.deepEqual(read, [32_400, -12_600, 0, 7200, undefined, undefined, undefined]);
  });
});

suite('the name of a file', () => {
  const DATED: [name: string, time: string][] = [
    ['IMG-20190405-WA0001.jpg', '2019-04-05 00:00:00'],
    ['WhatsApp Image 2026-05-02 at 10.20.30.jpeg', '2026-05-02 10:20:30'],
    ['WhatsApp Image 2016-05-02 at 9.20.30 PM (1).jpeg', '2016-05-02 21:20:30'],
    ['Screenshot_20230314_091500_Chrome.jpg', '2023-03-14 09:15:00'],
    ['Screenshot_20230314-091500.png', '2023-03-14 09:15:00'],
    ['Screenshot_2023-03-14-09-15-00-123_com.app.jpg', '2023-03-14 09:15:00'],
    ['Screen Shot 2014-07-26 at 6.44.00 PM.png', '2014-07-26 18:44:00'],
    ['Screenshot 2023-03-14 at 12.15.00\u202fAM.png', '2023-03-14 00:15:00'],
    ['Bildschirmfoto 2023-03-14 um 09.15.00.png', '2023-03-14 09:15:00'],
    ['Screenshot from 2023-03-14 09-15-00.png', '2023-03-14 09:15:00'],
    ['Captura de pantalla 2023-03-14 a las 9.15.00.png', '2023-03-14 09:15:00'],
    ['Imagem do WhatsApp de 2023-03-14 à(s) 09.15.00.jpg', '2023-03-14 09:15:00'],
    ['截屏2023-03-14 下午9.15.00.png', '2023-03-14 21:15:00'],
    ['截屏2023-03-14 上午12.15.00.png', '2023-03-14 00:15:00'],
    ['微信图片_20230314091500.jpg', '2023-03-14 09:15:00'],
    ['QQ图片20230314091500.jpg', '2023-03-14 09:15:00'],
    ['KakaoTalk_20230314_091500123.jpg', '2023-03-14 09:15:00'],
    ['vlcsnap-2023-03-14-09h15m00s789.png', '2023-03-14 09:15:00'],
    ['Screenshot 2023-03-14 091500.png', '2023-03-14 09:15:00'],
    ['Screenshot_20230314.png', '2023-03-14 00:00:00'],
    ['20140726_184400(1).jpg', '2014-07-26 18:44:00'],
    ['20140726_184400_HDR.jpg', '2014-07-26 18:44:00'],
    ['IMG_20140726_184400123.jpg', '2014-07-26 18:44:00'],
    ['IMG20140726184400.jpg', '2014-07-26 18:44:00'],
    ['MVIMG_20180726_184400.jpg', '2018-07-26 18:44:00'],
    ['PXL_20230314_091500123.PORTRAIT.jpg', '2023-03-14 09:15:00'],
    ['00000IMG_00000_BURST20140726184400123_COVER.jpg', '2014-07-26 18:44:00'],
    ['WP_20140726_18_44_00_Pro.jpg', '2014-07-26 18:44:00'],
    ['WP_20140726_001.jpg', '2014-07-26 00:00:00'],
    ['DJI_20230314091500_0001_D.JPG', '2023-03-14 09:15:00'],
    ['signal-2023-03-14-091500.jpg', '2023-03-14 09:15:00'],
    ['signal-2023-03-14-09-15-00-123.jpg', '2023-03-14 09:15:00'],
    ['photo_2014-07-26_18-44-00.jpg', '2014-07-26 18:44:00'],
    ['photo_1@26-07-2014_18-44-00.jpg', '2014-07-26 18:44:00'],
    ['viber_image_2023-03-14_09-15-00-123.jpg', '2023-03-14 09:15:00'],
    ['C360_2014-07-26-18-44-00-123.jpg', '2014-07-26 18:44:00'],
    ['2014-07-26 18.44.00-1.jpg', '2014-07-26 18:44:00'],
    ['2014-07-26.jpg', '2014-07-26 00:00:00'],
    ['FB_IMG_1406400240000.jpg', '2014-07-26 18:44:00'],
    ['mmexport1406400240000.jpg', '2014-07-26 18:44:00'],
  ];
  for (const [name, time] of DATED) {
    test(`has a date: ${name}`, () => assert.equal(format(parseFileNameTime(name)?.seconds), time));
  }

  const UNDATED = [
    'DSC_99887766.jpg',
    'DSC_20150312.jpg',
    '20190405.jpg',
    'IMG_0042.jpg',
    'IMG_20191399_001.jpg',
  ];
  UNDATED.push('photo-1512345678901-abc.jpg', 'order 20191231235959123456.jpg', 'a20190405123456f0.jpg');
  UNDATED.push(
    '2014-13-26.jpg',
    '26.07.2014.jpg',
    'v2020.10.12.jpg',
    '1920x1080.jpg',
    'Snapchat-1234567890.jpg',
  );
  test('has no date where a number only looks like one', () => {
    for (const name of UNDATED) assert.equal(parseFileNameTime(name), undefined, name);
  });

  test('of a Pixel phone is in UTC', async () => {
    const name = 'PXL_20230314_233000123.jpg';
    assert.equal(await readTime({ IFD2: { OffsetTime: '+09:00' } }, { name }), '2023-03-15 08:30:00');
  });
});
