/**
 * Tests use cheap password hashes. A gallery never uses cheap hashes, whatever its environment variables say.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../../../server/config.ts';
import { hashPassword, verifyPassword } from '../../../server/gallery/identity/passwords.ts';
import { cheapCosts } from '../../support/harness.ts';
import { password } from '../../support/people.ts';

const owasp = { memory: 19_456, passes: 2, parallelism: 1 };

describe('what the hash of a password costs', () => {
  test('is what OWASP asks for, and no setting changes it', () => {
    assert.deepEqual(readConfig({}).passwordCosts, owasp);
    const asked: string[] = [];
    const environment = new Proxy({} as Record<string, string>, {
      get(_, name: string) {
        asked.push(name);
        return undefined;
      },
    });
    readConfig(environment);
    assert.ok(asked.includes('DATA_DIR'));
    assert.deepEqual(
      asked.filter((name) => /argon|cost|hash|passes|lanes|parallel/i.test(name)),
      [],
    );
  });

  test('stands in the hash, by which it is verified', async () => {
    const [full, cheap] = [await hashPassword(password, owasp), await hashPassword(password, cheapCosts)];
    assert.match(full, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.match(cheap, /^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
    for (const stored of [full, cheap]) {
      for (const usual of [owasp, cheapCosts]) {
        assert.equal(await verifyPassword(password, stored, usual), true);
        assert.equal(await verifyPassword(`${password}x`, stored, usual), false);
        assert.equal(await verifyPassword(password, undefined, usual), false);
      }
    }
  });
});
