/**
 * Preloaded before a program so that tests need not wait. The program's clock is LATER seconds ahead, except
 * for `new Date()`, which signs requests to a store. SOONER replaces the milliseconds of timers: `[[30000,
 * 500]]`. With LATER_FILE, the whole clock is ahead by the seconds in this file, and follows its changes.
 */
import { readFileSync } from 'node:fs';

const { LATER = '0', SOONER = '[]', LATER_FILE } = process.env;
const readEveryMs = 10;

const { now } = Date;
if (LATER_FILE === undefined) Date.now = () => now() + Number(LATER) * 1000;
else followFile(LATER_FILE);

/** @param {string} file */
function followFile(file) {
  let ahead = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  const later = () => {
    const at = performance.now();
    if (at - readAt > readEveryMs) {
      ahead = Number(readFileSync(file, 'utf8')) * 1000;
      readAt = at;
    }
    return now() + ahead;
  };
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, made) => Reflect.construct(target, args.length > 0 ? args : [later()], made),
    get: (target, name) => (name === 'now' ? later : Reflect.get(target, name)),
  });
}

/** @type {[number, number][]} */
const pairs = JSON.parse(SOONER);
const sooner = new Map(pairs);
globalThis.setTimeout = new Proxy(setTimeout, {
  apply: (target, self, [work, ms, ...rest]) => target.call(self, work, sooner.get(ms) ?? ms, ...rest),
});
