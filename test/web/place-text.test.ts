/** Tests how the page reads a place that a user types or pastes from a map. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePlace } from '../../web/photos/place-text.ts';

const matterhorn = { latitude: 46.0207, longitude: 7.7491 };

const places: [text: string, place: ReturnType<typeof parsePlace>][] = [
  ['46.0207, 7.7491', matterhorn],
  ['46.0207,7.7491', matterhorn],
  ['  46.0207   7.7491 ', matterhorn],
  ['(46.0207, 7.7491)', matterhorn],
  ['46,0207; 7,7491', matterhorn],
  ['46,0207 7,7491', matterhorn],
  ['46,0207, 7,7491', matterhorn],
  ['46.0207，7.7491', matterhorn],
  ['−33.8568, +151.2153', { latitude: -33.8568, longitude: 151.2153 }],
  ['33.8568 S, 151.2153 E', { latitude: -33.8568, longitude: 151.2153 }],
  ['N 46.0207° E 7.7491°', matterhorn],
  ['46.0207° N, 7.7491° E', matterhorn],
  ['E 7.7491, N 46.0207', matterhorn],
  ['46°1\'14.52"N 7°44\'56.76"E', matterhorn],
  ['46° 1′ 14.52″ N, 7° 44′ 56.76″ E', matterhorn],
  ['geo:46.0207,7.7491', matterhorn],
  ['https://www.google.com/maps/@46.0207,7.7491,15z', matterhorn],
  ['https://maps.google.com/?q=46.0207,7.7491', matterhorn],
  ['https://www.openstreetmap.org/#map=15/46.0207/7.7491', matterhorn],
  ['https://www.openstreetmap.org/?mlat=46.0207&mlon=7.7491#map=5/1/2', matterhorn],
  ['https://www.google.com/maps/place/A/@45.9,7.6,12z/data=!3m1!4b1!8m2!3d46.0207!4d7.7491', matterhorn],
  ['geo:0,0?q=46.0207,7.7491(Zermatt)', matterhorn],
  ['https://www.bing.com/maps?cp=46.0207~7.7491&lvl=12', matterhorn],
  ['https://maps.apple.com/?ll=46.0207,7.7491&q=Zermatt', matterhorn],
  ['0, 0', { latitude: 0, longitude: 0 }],
  ['', undefined],
  ['46.0207', undefined],
  ['91, 7', undefined],
  ['46, 181', undefined],
  ['Zermatt', undefined],
  ['46.0207 N, 7.7491 N', undefined],
  ['46°61\'0"N 7°44\'0"E', undefined],
  ['1, 2, 3', undefined],
  ['https://example.org/', undefined],
];

for (const [text, place] of places) {
  test(`reads the place in "${text}"`, () => assert.deepEqual(parsePlace(text), place));
}
