/**
 * Loaded before a program, so that a test need not wait. Its clock is LATER seconds ahead (`new Date()` stays, which
 * signs requests to a store), and its timers of so many milliseconds ring when SOONER says: `[[30000, 500]]`. With
 * LATER_FILE all of its clock is ahead by the seconds that this file says, also while it runs.
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
