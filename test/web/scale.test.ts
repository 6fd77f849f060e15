/** Tests the conversion of heights of a wall to heights of its scroll box, and back. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  boxHeight,
  computeBase,
  isStuckAtEnd,
  type ScrollScale,
  wallToBox,
} from '../../web/photos/wall/scale.ts';

const view = 844;
const high: ScrollScale = { wall: 95_000_000, box: boxHeight(95_000_000, 3), view };

describe('a wall higher than what browsers scroll', () => {
  test('a high wall gets a box that every browser can scroll, at any pixel density', () => {
    for (const ratio of [1, 2, 3, 4, 10]) {
      const box = boxHeight(95_000_000, ratio);
      assert.ok(box * ratio < 2 ** 25 && box < 17_000_000, `${box} px at ${ratio}x`);
    }
    assert.equal(boxHeight(9_600_000, 3), 9_600_000);
  });

  test('a scaled wall scrolls both ends by real pixels, and keeps the order between the ends', () => {
    const places = Array.from({ length: 10_001 }, (_, n) => (n * (high.wall - view)) / 10_000);
    let last = -1;
    for (const y of places) {
      const inBox = wallToBox(high, y);
      assert.ok(inBox > last && inBox <= high.box - view, `${y} is at ${inBox}`);
      const back = inBox + computeBase(high, inBox);
      assert.ok(Math.abs(back - y) < 10, `${y} leads to ${back}`);
      assert.equal(isStuckAtEnd(high, inBox, computeBase(high, inBox)), false);
      last = inBox;
    }
    const end = high.box - view;
    assert.equal(wallToBox(high, 5000), 5000);
    assert.equal(end - 5000 + computeBase(high, end - 5000), high.wall - view - 5000);
    assert.equal(computeBase(high, 0), 0);
  });

  test('a wall that browsers can scroll is not scaled', () => {
    const low: ScrollScale = { wall: 9_600_000, box: 9_600_000, view };
    for (const y of [-60, 0, 150_000, 4_800_000.5, 9_599_156, 9_600_000]) {
      assert.equal(wallToBox(low, y), y);
      assert.equal(computeBase(low, y), 0);
    }
  });
});
