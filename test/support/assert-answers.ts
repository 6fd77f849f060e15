/** Checks that each API response has the envelope and leaks no internals. */
import assert from 'node:assert/strict';
import type { Answer } from './people.ts';

/** Asserts a successful read, `{code, data}` without a message, and returns the data. */
export function assertRead(answer: Answer): Answer['body'] {
  assert.equal(answer.status, 200, answer.bytes.toString());
  assert.deepEqual(Object.keys(answer.body), ['code', 'data']);
  assert.equal(answer.body.code, 0);
  return answer.body.data;
}

/** Asserts a successful write with data, `{code, message, data}`, and returns the data. */
export function assertWritten(answer: Answer): Answer['body'] {
  assert.equal(answer.status, 200, answer.bytes.toString());
  assert.deepEqual(Object.keys(answer.body), ['code', 'message', 'data']);
  assert.equal(answer.body.code, 0);
  assert.match(answer.body.message, /\w/);
  return answer.body.data;
}

/** Asserts a successful write without data, `{code, message}`. */
export function assertDone(answer: Answer): void {
  assert.equal(answer.status, 200, answer.bytes.toString());
  assert.deepEqual(Object.keys(answer.body), ['code', 'message']);
  assert.equal(answer.body.code, 0);
  assert.match(answer.body.message, /\w/);
}

/**
 * Asserts an error response, `{code, message}`. If the test names fields, the response must have `errors` for
 * exactly these fields.
 */
export function assertRefused(answer: Answer, status: number, code: number, fields?: string[]): void {
  const text = answer.bytes.toString();
  assert.deepEqual([answer.status, answer.body.code], [status, code], text);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json; charset=utf-8$/);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.deepEqual(Object.keys(answer.body), ['code', 'message', ...(fields ? ['errors'] : [])], text);
  assert.match(answer.body.message, /\w/);
  assert.doesNotMatch(
    text,
    /node_modules|\.ts\b|\bat .*:\d+|SELECT |INSERT |sqlite|postgres|SQLITE_|\/tmp\//,
  );
  if (!fields) return;
  assert.deepEqual(Object.keys(answer.body.errors).sort(), [...fields].sort(), text);
  for (const messages of Object.values<string[]>(answer.body.errors)) {
    assert.ok(Array.isArray(messages) && messages.length > 0, text);
    for (const message of messages) assert.match(message, /\w/);
  }
}
