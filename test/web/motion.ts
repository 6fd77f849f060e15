/** Watches every frame of a page with reduced motion: only colors and opacity may change. */
import type { Page } from 'playwright-core';

/**
 * Returns elements that have moved or grown since the last call. `watchMotion` collects these elements in the
 * page.
 */
export async function moved(page: Page): Promise<string[]> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  return await page.evaluate(() => {
    const all = [...window.moved];
    window.moved.clear();
    return all;
  });
}

declare global {
  interface Window {
    moved: Set<string>;
  }
}

/** Init script for a browser context that records all movements. */
export function watchMotion(): void {
  window.moved = new Set();
  const still = /^(offset|easing|composite|computedOffset|opacity|filter|color|.*Color|background)$/;
  const look = () => {
    for (const animation of document.getAnimations()) {
      const effect = animation.effect as KeyframeEffect;
      if (Number(effect.getComputedTiming().endTime) <= 10) continue;
      const names = new Set(effect.getKeyframes().flatMap((frame) => Object.keys(frame)));
      const moving = [...names].filter((name) => !still.test(name));
      if (moving.length > 0) window.moved.add(`${effect.target?.outerHTML.slice(0, 80)}: ${moving}`);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  for (const name of ['scrollTo', 'scrollBy', 'scrollIntoView'] as const) {
    const scroll = Element.prototype[name] as (this: Element, ...how: unknown[]) => void;
    Element.prototype[name] = function (this: Element, ...how: unknown[]) {
      if ((how[0] as ScrollToOptions | undefined)?.behavior === 'smooth')
        window.moved.add(`${name} is smooth`);
      scroll.apply(this, how);
    } as never;
  }
}
