/** Purses of tries: so many a minute for a key, then 429 until the minute is over. */

import { errors } from '../errors/catalogue.ts';
import type { MakePurse } from './purses.ts';

export interface Throttle {
  /** Takes one try. Throws 429 when none is left. */
  take(key: string): Promise<void>;
  /** Gives one back. */
  giveBack(key: string): Promise<void>;
  /** Fills the purse again. */
  reset(key: string): Promise<void>;
}

/** `name` is its own: processes that share their purses find them by it. */
export function createThrottle(
  { makePurse }: { makePurse: MakePurse },
  name: string,
  triesPerMinute: number,
): Throttle {
  const purse = makePurse(name, triesPerMinute);
  return {
    async take(key) {
      const { isEmpty, ms } = await purse.take(key);
      if (!isEmpty) return;
      const retryAfter = Math.max(1, Math.ceil(ms / 1000));
      throw errors.tooManyRequests({ message: 'Too many tries, please wait', retryAfter });
    },
    giveBack: purse.giveBack,
    reset: purse.fill,
  };
}
