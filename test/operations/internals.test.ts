/** No code depends on internals of Node, V8 or a library, and the check finds code that does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { internalsFaults, internalsIn } from '../../scripts/internals.ts';

test('no code depends on internals, except the files that give a reason', () => {
  assert.deepEqual(internalsFaults(), []);
});

test('finds code that depends on internals', () => {
  const refused = [
    'Socket.prototype.destroy = () => {};',
    'Socket.prototype[name] = undefined;',
    'socket._write = (chunk, encoding, callback) => {};',
    'child.send = ((message) => send(message)) as typeof child.send;',
    'server.closeIdleConnections = () => {};',
    'hooks.createHook = (callbacks) => createHook(callbacks);',
    'const message = socket._httpMessage;',
    'const held = client?._queries.length;',
    "setFlagsFromString('--max-lazy');",
    "spawn(process.execPath, ['--expose-gc']);",
    'const { loopCount } = performance.nodeTiming.uvMetricsInfo;',
    'connection.sendCopyFromChunk(rows);',
    "child.on('internalMessage', listen);",
    "const pick = new Function('value', code);",
    'eval(code);',
    "import { runInNewContext } from 'node:vm';",
    'process.execve(process.execPath, args);',
    'syncBuiltinESMExports();',
  ];
  for (const text of refused)
    assert.deepEqual(
      internalsIn(text).map(({ line }) => line),
      [1],
      text,
    );
  assert.deepEqual(
    internalsIn('one();\ntwo(socket._handle);').map(({ line }) => line),
    [2],
  );
});

test('accepts calls of public methods, own fields, and comments', () => {
  const accepted = [
    'socket.destroy();',
    'Server.prototype.close.call(server);',
    'const isSent = options.send === true;',
    'this._held = undefined;',
    "page.$$eval('.tile', (all) => all.length);",
    'eval(script: string, options: Options): Promise<unknown>;',
    'const { can_write } = row;',
    '// A library sets `socket._write = …`.',
    '/** Once, `new Function(` built it. */',
  ];
  for (const text of accepted) assert.deepEqual(internalsIn(text), [], text);
});
