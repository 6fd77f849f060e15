/**
 * The page counts the minute of the server's rate limit from its own receipt of the response, not by the
 * device's clock.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRateLimit } from '../../web/api/limit.ts';

const serverNow = Date.UTC(2026, 10, 22, 12, 0, 30);
const hour = 3_600_000;

const told = (others: Record<string, string> = {}) =>
  new Headers({
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '7',
    'X-RateLimit-Reset': String((serverNow + 30_000) / 1000),
    ...others,
  });

test('calls continue half a minute after the rate limit, also with a clock an hour fast or slow', () => {
  for (const apart of [0, -hour, hour]) {
    const now = serverNow + apart;
    const headers = told({ Date: new Date(serverNow).toUTCString() });
    assert.deepEqual(readRateLimit(headers, now), { limit: 60, left: 7, renewed: now + 30_000 });
  }
});

test('treats the clocks of server and browser as equal without a Date header', () => {
  assert.equal(readRateLimit(told(), serverNow)?.renewed, serverNow + 30_000);
});

test('a response without rate limit headers changes nothing', () => {
  assert.equal(readRateLimit(new Headers({ Date: new Date(serverNow).toUTCString() }), serverNow), undefined);
});
