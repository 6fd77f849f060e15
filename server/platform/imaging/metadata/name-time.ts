/**
 * Reads the date in the name of a file, as phones, messengers and programs for screenshots write it. A number that only
 * looks like a date, such as `DSC_99887766`, is no date.
 */
import { wallClockToSeconds } from './wall-clock.ts';

export interface FileNameTime {
  seconds: number;
  /** Whether the name is in UTC, otherwise in the time of the place. */
  isUtc: boolean;
}

const maxLooked = 300;

const year = '(?<year>(?:19|20)\\d\\d)';
const [month, day] = ['(?<month>\\d\\d)', '(?<day>\\d\\d)'];
const time = '(?<hour>\\d{1,2})[-_.:h](?<minute>\\d\\d)[-_.:m](?<second>\\d\\d)';
const compactTime = '(?<hour>\\d\\d)[-_.]?(?<minute>\\d\\d)[-_.]?(?<second>\\d\\d)';
/** Names of programs before a date without separators. Any other letters could be part of a number. */
const prefix =
  '(?:IMG|VID|PXL|MVIMG|PANO|PORTRAIT|BURST|COVER|DJI|WIN|TRIM|LRM|P|WP|Screenshot|Photo|Scan|CameraZOOM)';
/** Words between a date and a time, such as `at`, `um` and `kl.`. */
const words = '(?:[ _.T-]{1,3}|(?: [\\p{L}.()]{1,6}){1,2} )';
/** Halves of the day before a time, as in `截屏2023-03-14 下午9.15.00`. */
const half = '(?:(?<morning>上午|午前)|(?<evening>下午|午後))? ?';

/** Patterns of names, the first one that matches counts. */
const patterns: RegExp[] = [
  // Telegram Desktop: photo_1@26-07-2014_18-44-00.jpg
  new RegExp(`@${day}-${month}-${year}_${time}`, 'u'),
  // Screenshot 2023-03-14 at 9.15.00 PM.png, photo_2014-07-26_18-44-00.jpg
  new RegExp(
    `(?<!\\d)${year}([-_.])${month}\\2${day}${words}${half}${time}(?:\\s?(?:(?<am>AM)|(?<pm>PM)))?(?!\\d)`,
    'iu',
  ),
  // Screenshot 2023-03-14 091500.png, signal-2023-03-14-091500.jpg
  new RegExp(`(?<!\\d)${year}([-_.])${month}\\2${day}${words}${compactTime}(?:\\d{3})?(?!\\d)`, 'iu'),
  // IMG_20190405_123456.jpg, IMG20190405123456.jpg, 20190405_123456_HDR.jpg
  new RegExp(
    `(?:^|[^A-Za-z0-9]|${prefix})${year}${month}${day}[-_ .T]?${compactTime}(?:[-_]?\\d{3})?(?!\\d)`,
    'iu',
  ),
  // IMG-20190405-WA0001.jpg
  new RegExp(`(?<!\\d)${year}${month}${day}-WA\\d`, 'iu'),
  // WP_20140726_001.jpg, Screenshot_20230314.png
  new RegExp(`(?:^|[^\\p{L}])${prefix}[-_ ]?${year}${month}${day}(?![\\d\\p{L}])`, 'iu'),
  // 2014-07-26.jpg, scan 2014-07-26 (3).jpg
  new RegExp(`(?<!\\d)${year}([-_])${month}\\2${day}(?!\\d)`, 'u'),
];

/** Names with the milliseconds of Unix time, by Facebook and WeChat. */
const unixName = /^(?:FB_IMG_|mmexport|wx_camera_)(1\d{12})(?!\d)/;

/** Returns the date in a file's name, or undefined if the name has none. */
export function parseFileNameTime(name: string): FileNameTime | undefined {
  const looked = name.slice(0, maxLooked);
  const unix = unixName.exec(looked);
  if (unix) return { seconds: Math.floor(Number(unix[1]) / 1000), isUtc: true };
  for (const pattern of patterns) {
    const groups = pattern.exec(looked)?.groups;
    const seconds = groups && readGroups(groups);
    // Pixel phones write UTC.
    if (seconds !== undefined) return { seconds, isUtc: /^PXL_/.test(looked) };
  }
  return undefined;
}

function readGroups(groups: Record<string, string | undefined>): number | undefined {
  const { am, pm, morning, evening } = groups;
  const read = (name: string) => Number(groups[name] ?? 0);
  const hour = read('hour');
  const isHalf = Boolean(am ?? pm ?? morning ?? evening);
  if (hour > 23 || (isHalf && (hour < 1 || hour > 12))) return undefined;
  const shown = isHalf ? (hour % 12) + (pm || evening ? 12 : 0) : hour;
  return wallClockToSeconds({
    year: read('year'),
    month: read('month'),
    day: read('day'),
    hour: shown,
    minute: read('minute'),
    second: read('second'),
  });
}
