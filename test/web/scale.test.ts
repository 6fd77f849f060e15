/** Tests the conversion of heights of a wall to heights of its scroll box, and back. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  computeScrollBoxHeight,
  computeScrollOffset,
  isScrollStuckAtEnd,
  type ScrollScale,
  toScrollBoxPosition,
} from '../../web/photos/wall/scale.ts';

const view = 844;
const high: ScrollScale = { wall: 95_000_000, box: computeScrollBoxHeight(95_000_000, 3), view };

describe('a wall higher than what browsers scroll', () => {
  test('a high wall gets a box that every browser can scroll, at any pixel density', () => {
    for (const ratio of [1, 2, 3, 4, 10]) {
      const box = computeScrollBoxHeight(95_000_000, ratio);
      assert.ok(box * ratio < 2 ** 25 && box < 17_000_000, `${box} px at ${ratio}x`);
    }
    assert.equal(computeScrollBoxHeight(9_600_000, 3), 9_600_000);
  });

  test('a scaled wall scrolls both ends by real pixels, and keeps the order between the ends', () => {
    const places = Array.from({ length: 10_001 }, (_, n) => (n * (high.wall - view)) / 10_000);
    let last = -1;
    for (const y of places) {
      const inBox = toScrollBoxPosition(high, y);
      assert.ok(inBox > last && inBox <= high.box - view, `${y} is at ${inBox}`);
      const back = inBox + computeScrollOffset(high, inBox);
      assert.ok(Math.abs(back - y) < 10, `${y} leads to ${back}`);
      assert.equal(isScrollStuckAtEnd(high, inBox, computeScrollOffset(high, inBox)), false);
      last = inBox;
    }
    const end = high.box - view;
    assert.equal(toScrollBoxPosition(high, 5000), 5000);
    assert.equal(end - 5000 + computeScrollOffset(high, end - 5000), high.wall - view - 5000);
    assert.equal(computeScrollOffset(high, 0), 0);
  });

  test('a wall that browsers can scroll is not scaled', () => {
    const low: ScrollScale = { wall: 9_600_000, box: 9_600_000, view };
    for (const y of [-60, 0, 150_000, 4_800_000.5, 9_599_156, 9_600_000]) {
      assert.equal(toScrollBoxPosition(low, y), y);
      assert.equal(computeScrollOffset(low, y), 0);
    }
  });
});
