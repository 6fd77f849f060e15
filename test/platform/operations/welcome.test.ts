/** Tests the text that the server prints at its start. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readConfig } from '../../../server/config.ts';
import type { EnvironmentVariables } from '../../../server/config-reader.ts';
import { printWelcome } from '../../../server/platform/operations/welcome.ts';

function welcome(
  context: TestContext,
  environment: EnvironmentVariables,
  address = '0.0.0.0',
  family = 'IPv4',
  setup?: string,
): string {
  const write = context.mock.method(process.stdout, 'write', () => true);
  printWelcome(readConfig(environment), [{ address, family, port: 3000 }], setup);
  const text = String(write.mock.calls[0]!.arguments[0]);
  write.mock.restore();
  return text;
}

test('names the address, the documentation and the data', (context) => {
  const text = welcome(context, { DATA_DIR: '/srv/photos' });
  assert.match(text, /Gallery +http:\/\/localhost:3000\n/);
  assert.match(text, /Documentation +http:\/\/localhost:3000\/docs\n/);
  assert.match(text, /Data +\/srv\/photos \(database and photos\)\n/);
  assert.doesNotMatch(text, /admin/);
});

test('the welcome shows the one-time link, its code when the address is unknown, and the command while there is no admin', (context) => {
  const text = welcome(context, {}, undefined, undefined, 'CODE');
  assert.match(text, /Create admin account +http:\/\/localhost:3000\/first-run#CODE\n/);
  assert.match(text, /npm run lightwell -- user create NAME EMAIL --admin/);
  const behind = welcome(context, { BASE_URL: 'https://photos.example.org/' }, undefined, undefined, 'CODE');
  assert.match(behind, / https:\/\/photos\.example\.org\/first-run#CODE\n/);
});

test('shows the database without its password', (context) => {
  const text = welcome(context, { DATABASE_URL: 'postgres://ann:geheim@db:5432/gallery?password=geheim' });
  assert.match(text, /Database +postgres:\/\/ann@db:5432\/gallery\n/);
  assert.doesNotMatch(text, /geheim/);
});

test('shows the public address where one is set, and addresses of IPv6 in brackets', (context) => {
  assert.match(
    welcome(context, { BASE_URL: 'https://photos.example.org/' }),
    /https:\/\/photos\.example\.org\/docs/,
  );
  assert.match(welcome(context, {}, 'fd00::1', 'IPv6'), /http:\/\/\[fd00::1\]:3000\n/);
});
