/** Tests in a real browser what an admin sees of other people's photos: nothing by chance, and everything on request. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Browser, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register, registerAdmin } from '../support/people.ts';
import { openTab, signIn, withoutWeb } from './steps.ts';

suite("an admin and other people's photos", { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let admin: Person;
  let diary: number;

  before(async () => {
    gallery = await startGallery();
    const ann = await register(gallery, 'ann');
    admin = await registerAdmin(gallery, 'admin');
    diary = (await addPhoto(ann, { title: 'Diary', visibility: 'private' })).id;
    await addPhoto(ann, { title: 'Club', visibility: 'members' });
    await addPhoto(ann, { title: 'Beach', visibility: 'public' });
    await addPhoto(admin, { title: 'Desk', visibility: 'private' });
    browser = await openBrowser();
    await signIn(browser, gallery, admin);
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  test('the wall and the search hold only what every member sees, and the own photos', async () => {
    const { page, complaints } = await openTab(browser, gallery, '/');
    const tile = (name: string) => page.getByRole('link', { name, exact: true });
    for (const name of ['Beach', 'Club Members only', 'Desk Private']) await tile(name).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Diary' }).count(), 0);
    await page.goto(`${gallery.url}/search?q=Diary`);
    await page.getByText('No photos found').waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('the page of all photos shows a private photo, and the log names the look', async () => {
    const { page } = await openTab(browser, gallery, '/admin/photos');
    await page.getByRole('link', { name: 'Diary' }).click();
    await page.waitForURL(`**/photos/${diary}`);
    await page.waitForFunction(() => document.title.includes('Diary'));
    await page.locator('.pswp img').first().waitFor();
    // The row is written some seconds after the look.
    await eventually(async () => {
      await page.goto(`${gallery.url}/admin/log`);
      await page.getByRole('row', { name: 'Account created' }).first().waitFor();
      const looks = page.getByRole('row', { name: 'Private photo of another user opened' });
      assert.equal(await looks.count(), 1);
    });
    await page.close();
  });
});
