/** What every answer of the API must be, whatever it says: the envelope, and nothing from behind it. */
import assert from 'node:assert/strict';
import type { Answer } from './people.ts';

/** A read that succeeded: `{code, data}` without a message. Returns the data. */
export function assertReadSucceeded(answer: Answer): Answer['body'] {
  assert.equal(answer.status, 200, answer.bytes.toString());
  assert.deepEqual(Object.keys(answer.body), ['code', 'data']);
  assert.equal(answer.body.code, 0);
  return answer.body.data;
}

/** A write that succeeded and answers with data: `{code, message, data}`. Returns the data. */
export function assertWriteReturnedData(answer: Answer): Answer['body'] {
  assert.equal(answer.status, 200, answer.bytes.toString());
  assert.deepEqual(Object.keys(answer.body), ['code', 'message', 'data']);
  assert.equal(answer.body.code, 0);
  assert.match(answer.body.message, /\w/);
  return answer.body.data;
}

/** A write that succeeded and has nothing more to say: `{code, message}`. */
export function assertWriteSucceeded(answer: Answer): void {
  assert.equal(answer.status, 200, answer.bytes.toString());
  assert.deepEqual(Object.keys(answer.body), ['code', 'message']);
  assert.equal(answer.body.code, 0);
  assert.match(answer.body.message, /\w/);
}

/** A refusal: `{code, message}`, with `errors` exactly where fields are named. */
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
