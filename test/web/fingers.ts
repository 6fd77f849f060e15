/** Simulates fingers on a touch screen through the browser's own input events. */
import type { CDPSession, Page } from 'playwright-core';

export interface Point {
  x: number;
  y: number;
}

export async function createFingers(page: Page) {
  const session: CDPSession = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: touchPoints.map((point, id) => ({ ...point, id })),
    });
  /** Waits for a frame, because the page gets touch events once per frame. */
  const drawn = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  return {
    down: (...points: Point[]) => touch('touchStart', points),
    up: () => touch('touchEnd', []),
    /**
     * Sends both taps without a pause, because on a busy machine late taps would count as two single taps.
     */
    async tapTwice(point: Point): Promise<void> {
      const tap = () => [touch('touchStart', [point]), touch('touchEnd', [])];
      await Promise.all([...tap(), ...tap()]);
    },
    /** Moves each finger from its start to its end in several steps, like a hand. */
    async move(ways: [from: Point, to: Point][], steps = 8): Promise<void> {
      await touch(
        'touchStart',
        ways.map(([from]) => from),
      );
      for (let step = 1; step <= steps; step++) {
        await drawn();
        const part = step / steps;
        const between = (from: number, to: number) => from + (to - from) * part;
        await touch(
          'touchMove',
          ways.map(([from, to]) => ({ x: between(from.x, to.x), y: between(from.y, to.y) })),
        );
      }
      await drawn();
      await touch('touchEnd', []);
    },
  };
}
