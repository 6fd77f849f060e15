/** Tests the start of a sign-in with the OpenID provider, and the page to which it redirects. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertAuditLog, startNextHour } from '../../support/audit-log.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { createCookieBrowser, oidcClient, startProvider } from '../../support/oidc.ts';
import { type Person, registerAdmin } from '../../support/people.ts';

const begin = '/api/auth/oidc';

describe('the way to the OpenID provider and back', () => {
  let gallery: Gallery;
  let root: Person;
  let provider: Awaited<ReturnType<typeof startProvider>>;

  before(async () => {
    provider = await startProvider();
    gallery = await startGallery({
      oidc: { ...oidcClient, name: 'Example Club', adminClaim: undefined, issuer: provider.issuer },
    });
    startNextHour(gallery);
    provider.know(`${gallery.url}${begin}/callback`);
    root = await registerAdmin(gallery, 'root');
  });
  after(async () => {
    await gallery.close();
    await provider.close();
  });

  test('starts with a click on our page, not on a page elsewhere', async () => {
    const from = async (site: string, to = '') => {
      const headers = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
      const response = await fetch(gallery.url + begin + to, { redirect: 'manual', headers });
      assert.equal(response.status, 303);
      return {
        led: response.headers.get('location')!,
        isKept: response.headers.get('set-cookie') !== null,
      };
    };
    for (const site of ['cross-site', 'same-site'])
      assert.deepEqual(await from(site, '?to=%2Falbums'), {
        led: '/sign-in?to=%2Falbums',
        isKept: false,
      });
    assert.deepEqual(await from('cross-site'), { led: '/sign-in', isKept: false });
    for (const site of ['same-origin', 'none']) {
      const { led, isKept } = await from(site);
      assert.ok(led.startsWith(provider.issuer) && isKept, site);
    }
  });

  test('ends at an address of any script, and is logged once', async () => {
    provider.signIn('w-1', { email: 'wei@example.org', preferred_username: 'wei' });
    const traveller = createCookieBrowser();
    const to = `${gallery.url}${begin}?to=${encodeURIComponent('/u/山?q=河#湖')}`;
    assert.equal(await traveller.travel(to, gallery.url), '/u/%E5%B1%B1?q=%E6%B2%B3');
    assert.ok(traveller.jars.get(gallery.url)!.has('lightwell_session'));
    await assertAuditLog(root, 'action=login.oidc', [['login.oidc', 'succeeded', '', 1]]);
    assert.deepEqual(gallery.complaints(), []);
  });

  test('ends at the home page for an address that is too long for headers', async () => {
    provider.signIn('l-1', { email: 'li@example.org', preferred_username: 'li' });
    const way = (signs: number) =>
      `${gallery.url}${begin}?to=${encodeURIComponent(`/search?q=${'山'.repeat(signs)}`)}`;
    for (const [signs, end] of [
      [210, `/search?q=${encodeURIComponent('山'.repeat(210))}`],
      [310, '/'],
      [1500, '/'],
    ] as const) {
      const traveller = createCookieBrowser();
      await traveller.visitUrl(way(signs));
      const [kept] = traveller.jars.get(gallery.url)!;
      assert.ok(kept!.join('=').length < 4096, `${signs} signs: ${kept!.join('=').length}`);
      assert.equal(await createCookieBrowser().travel(way(signs), gallery.url), end);
    }
  });
});
