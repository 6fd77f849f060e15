/**
 * Loaded before a program, so that a test need not wait. Its clock is LATER seconds ahead (`new Date()` stays, which
 * signs requests to a store), and its timers of so many milliseconds ring when SOONER says: `[[30000, 500]]`.
 */
const { LATER = '0', SOONER = '[]' } = process.env;

const { now } = Date;
Date.now = () => now() + Number(LATER) * 1000;

/** @type {[number, number][]} */
const pairs = JSON.parse(SOONER);
const sooner = new Map(pairs);
globalThis.setTimeout = new Proxy(setTimeout, {
  apply: (target, self, [work, ms, ...rest]) => target.call(self, work, sooner.get(ms) ?? ms, ...rest),
});
