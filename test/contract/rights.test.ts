/** Tests the rights table: every role calls every endpoint for a photo of each level. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ownEndpoints } from './steps/own-endpoints.ts';
import { coreRows } from './steps/rights.ts';
import { adminRows } from './steps/rights-admin.ts';
import { peopleRows } from './steps/rights-people.ts';
import { testRights } from './steps/rights-walk.ts';
import { webhookRows } from './steps/rights-webhooks.ts';

const rows = [...coreRows, ...peopleRows, ...adminRows, ...webhookRows];

test('the rights table has a row for every endpoint of the contract', () => {
  const contract = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
  const endpoints = Object.entries<object>(contract.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      // HEAD has no rows of its own: a refused HEAD has no body, and each path is tested with its other
      // methods.
      .filter((method) => method !== 'head')
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  const named = (endpoint: string) => endpoint.replace(/\{\w+\}/g, '{}');
  assert.deepEqual(
    [...new Set([...rows.map(({ endpoint }) => endpoint), ...ownEndpoints('testRights')].map(named))].sort(),
    [...new Set(endpoints.filter((endpoint) => endpoint.includes(' /api/')).map(named))].sort(),
  );
});

testRights(rows);
