import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  asAnonymous,
  ask,
  assertNeverMore,
  asUser,
  type Guarded,
  startGuarded,
} from '../contract/steps/spellings.ts';
import { findMissingReason, proxyKinds, type RunningProxy, startProxy } from '../support/proxies.ts';

for (const kind of proxyKinds) {
  describe(`through ${kind.program}, a path written in another way`, {
    skip: findMissingReason(kind),
  }, () => {
    let guarded: Guarded;
    let proxy: RunningProxy;
    before(async () => {
      guarded = await startGuarded();
      proxy = await startProxy(kind, guarded.gallery);
    });
    after(async () => {
      await proxy?.stop();
      await guarded?.gallery.close();
    });

    test('gives no one more than the plain one', async () => {
      assert.ok(guarded.operations.length > 80);
      await assertNeverMore(proxy, guarded.operations, asAnonymous);
    });

    test('gives a user nothing of what admins may do', async () => {
      const ofAdmins = guarded.operations.filter(({ path }) => path.startsWith('/api/admin/'));
      assert.ok(ofAdmins.length > 8);
      await assertNeverMore(proxy, ofAdmins, asUser(guarded.stranger));
    });

    test('is handed on as it came, and asked for its rights by the gallery', async () => {
      for (const target of ['/%61pi/admin/users', '/ap%69/admin/logs', '/%61pi/admin/stats']) {
        const [anonymous, user] = [
          await ask(proxy, 'GET', target),
          await ask(proxy, 'GET', target, asUser(guarded.stranger)),
        ];
        assert.deepEqual([anonymous.status, anonymous.body.code], [401, 401], target);
        assert.deepEqual([user.status, user.body.code], [403, 403], target);
      }
      // Ignores the warning about TRUST_PROXY: the test does not name its proxy in that setting.
      const complaints = guarded.gallery.complaints().filter((line) => !line.includes('TRUST_PROXY'));
      assert.deepEqual(complaints, []);
    });
  });
}
