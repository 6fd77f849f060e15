/** Tests in a real browser that a person can create an account, sign out and sign in again. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, logIn, password, register } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, withoutWeb } from './steps.ts';

describe('accounts in the browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;

  before(async () => {
    gallery = await startGallery();
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  test('a visitor registers, signs out and signs in by a cookie that scripts cannot read', async () => {
    const { page, complaints } = await openTab(browser, gallery, '/register');
    await page.getByLabel('Username').fill('dora');
    await page.getByLabel('Email').fill('dora@example.org');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
    await page.waitForURL(`${gallery.url}/`);
    const [cookie] = await browser.context.cookies();
    assert.equal(cookie!.name, 'lightwell_session');
    assert.equal(cookie!.httpOnly, true);
    assert.equal(await page.evaluate(() => document.cookie), '');

    const dora = await logIn(gallery, { name: 'dora', id: 1 } as never);
    await addPhoto(dora, { title: 'Not for others', is_public: '0' });
    await page.reload();
    await page.getByRole('link', { name: 'Not for others' }).waitFor();
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await assertAccessible(page, 'account menu');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Not for others' }).count(), 0);

    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Username or email').fill('dora@example.org');
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Not for others' }).waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
    await browser.context.clearCookies();
  });

  test('the sign-in form shows a mistake on the page or beside the field, and keeps the input', async () => {
    await register(gallery, 'edna');
    const { page } = await openTab(browser, gallery, '/sign-in');
    await page.getByLabel('Username or email').fill('edna');
    await page.getByLabel('Password').fill('not this one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    assert.match((await page.getByRole('alert').textContent())!, /password/i);
    assert.equal(await page.getByLabel('Username or email').inputValue(), 'edna');

    // A gallery without mail tells users to ask the operator for help.
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByText('This gallery doesn’t send email.').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Create account' }).click();
    await page.getByLabel('Username', { exact: true }).fill('12345');
    await page.getByLabel('Email').fill('edna2@example.org');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('May only contain').waitFor();
    assert.equal(await page.getByLabel('Username').getAttribute('aria-invalid'), 'true');
    assert.deepEqual(await browser.context.cookies(), []);
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.close();
  });
});
