/** Tests times in JSON: formatting a time does not depend on times that were formatted before. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeText } from '../../../server/platform/http/time.ts';

const byDate = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');

test('a time is written as the calendar has it, also after others that share its place in memory', () => {
  const bases = [
    0,
    1,
    59,
    86_399,
    951_782_400,
    1_709_164_800,
    2 ** 31 - 1,
    2 ** 31,
    4_102_444_800,
    -1,
    -86_401,
  ];
  for (let round = 0; round < 3; round++) {
    for (const base of bases) {
      for (const distance of [0, 8192, 2 ** 20, 2 ** 32]) {
        assert.equal(timeText(base + distance), byDate(base + distance));
        assert.equal(timeText(base + distance), byDate(base + distance));
      }
    }
  }
});
