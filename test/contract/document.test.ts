/** Checks openapi.json for people who generate a client from it: names, tokens, statuses, examples. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mistakesIn } from '../../scripts/contract/mistakes.ts';
import type { Contract, Operation, Schema } from '../../scripts/contract/types.ts';

const read = (): Contract => JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
const contract = read();
const schemas = contract.components.schemas as Record<string, Schema>;
const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    at: `${method.toUpperCase()} ${path}`,
    path,
    operation,
  })),
);

function find(at: string): Operation {
  const found = operations.find((operation) => operation.at === at);
  assert.ok(found, at);
  return found.operation;
}

test('openapi.json names every schema that clients receive', () => {
  const names =
    'Photo PhotoItem UploadedPhoto PhotoUpdate Album AlbumDetail User UserHome CurrentUser Comment Reply Share Shared ' +
    'Notification Webhook Delivery Session ApiKey Report AuditEntry Tag Pagination ApiError ValidationError Outcome ' +
    'EditStep CropParams RotateParams FlipParams ResizeParams FilterParams';
  for (const name of names.split(' ')) assert.ok(schemas[name], name);
  assert.equal('Error' in schemas, false, 'would hide the Error of every JavaScript client');
  const { list } = (schemas.PhotoItemPage as { properties: Record<string, Schema> }).properties;
  assert.deepEqual(list, { type: 'array', items: { $ref: '#/components/schemas/PhotoItem' } });
});

test('openapi.json says for every operation which token or cookie it accepts, or that it needs none', () => {
  for (const { at, path, operation } of operations) {
    assert.ok(operation.security, at);
    if (!path.startsWith('/api/') && !path.startsWith('/storage/'))
      assert.deepEqual(operation.security, [], at);
  }
  assert.deepEqual(find('POST /api/auth/login').security, []);
  assert.deepEqual(find('GET /api/shares/{share}').security, []);
  assert.deepEqual(find('GET /api/photos').security, [{}, { bearer: [] }, { cookie: [] }]);
  assert.deepEqual(find('DELETE /api/shares/{share}').security, [{ bearer: [] }, { cookie: [] }]);
});

test('openapi.json lists the statuses that the server adds to every route', () => {
  const statuses = (at: string) => Object.keys(find(at).responses).map(Number);
  const has = (at: string, ...wanted: number[]) =>
    assert.deepEqual(
      wanted.filter((status) => !statuses(at).includes(status)),
      [],
      at,
    );
  has('GET /api/photos/{id}/download', 200, 206, 304, 403, 404, 416, 431, 503);
  has('GET /storage/{name}', 200, 206, 302, 304, 401, 403, 404, 416);
  has('POST /api/photos/upload', 200, 400, 401, 403, 404, 408, 413, 415, 429, 431, 503, 507);
  has('GET /s/{token}', 200, 404, 500);
  has('POST /s/{token}', 303, 403, 404, 413, 415, 429);
  assert.equal(statuses('POST /s/{token}').includes(200), false);
});

test('openapi.json describes files of forms so that generators of clients know them as bytes', () => {
  for (const name of ['UploadForm', 'AvatarForm']) {
    const { file } = schemas[name]!.properties as Record<string, { type?: string; format?: string }>;
    assert.deepEqual([file?.type, file?.format], ['string', 'binary'], name);
  }
});

test('openapi.json requires a body where the route requires a body', () => {
  assert.equal(find('POST /api/photos/{id}/revert').requestBody?.required, false);
  assert.equal(find('PUT /api/photos/{id}').requestBody?.required, true);
});

test('openapi.json names the branches of each union and the field that selects the branch', () => {
  const { oneOf, discriminator } = schemas.Shared as { oneOf: Schema[]; discriminator: object };
  const [photo, album] = ['#/components/schemas/SharedPhoto', '#/components/schemas/SharedAlbum'];
  assert.deepEqual(oneOf, [{ $ref: photo }, { $ref: album }]);
  assert.deepEqual(discriminator, { propertyName: 'type', mapping: { photo, album } });
  for (const [name, schema] of Object.entries(schemas)) {
    if (!schema.discriminator) continue;
    const { mapping } = schema.discriminator as { mapping?: Record<string, string> };
    assert.ok(mapping && Object.keys(mapping).length > 1, name);
  }
});

test('openapi.json describes the code of success as 0, the form of times and the end of signed paths', () => {
  const { code } = (schemas.PhotoAnswer as { properties: Record<string, Schema> }).properties;
  assert.deepEqual(code, { type: 'integer', const: 0 });
  const { create_time, thumb } = (schemas.Photo as { properties: Record<string, Schema> }).properties;
  assert.match('2026-03-01 09:30:00', new RegExp(create_time!.pattern as string));
  assert.doesNotMatch('2026-03-01T09:30:00Z', new RegExp(create_time!.pattern as string));
  assert.match(thumb!.description as string, /signed .* hours/);
});

test('openapi.json contains no mistake, and the check detects each kind of mistake', () => {
  assert.deepEqual(mistakesIn(contract), []);

  const spoilt = read();
  const get = (path: string) => spoilt.paths[path]!.get!;
  const json = (path: string) => get(path).responses[200]!.content!['application/json']!;
  delete get('/api/photos/{id}').operationId;
  delete get('/api/albums/{id}').description;
  delete get('/api/users/{id}').security;
  get('/api/auth/user').tags = ['Nothing'];
  delete json('/api/auth/sessions').example;
  json('/api/admin/stats').example = { code: 1 };
  get('/api/photos/{id}').responses[403] = get('/api/photos/{id}').responses[404]!;
  get('/api/tags').responses[401] = { $ref: '#/components/responses/Nothing' };
  const user = schemas.User!;
  json('/api/trash').schema = user;
  json('/api/shares').schema = user;

  const seen = mistakesIn(spoilt).join('\n');
  for (const mistake of [
    'GET /api/photos/{id}: its schema has no operationId',
    'GET /api/albums/{id}: its schema has no description',
    'GET /api/users/{id}: does not say which token it takes',
    'GET /api/auth/user: needs one tag',
    'GET /api/auth/sessions: 200 has no example',
    'an example is not what its schema says: {"code":1}',
    'GET /api/photos/{id}: the error 20003 is not one of the catalogue with the status 403',
    '#/components/responses/Nothing does not exist',
    'needs a name (a title), for it stands in more than one place: {"type":"object","required":["id","username"',
  ]) {
    assert.ok(seen.includes(mistake), `${mistake}\n---\n${seen}`);
  }
});
