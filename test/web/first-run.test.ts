/**
 * Tests a new gallery in a real browser: the setup link, the first account, the first photos, and the
 * installation as an app.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { createSetupCode } from '../../server/gallery/accounts/setup.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { asVisitor, password, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { assertAccessible, inEveryLook, openTab, withoutWeb } from './steps.ts';

describe('the first run in the browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;

  before(async () => {
    gallery = await startGallery({ siteName: 'Field notes' });
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  test('the first run creates the admin only by the link of the console, and asks for photos', async () => {
    const { page, complaints, calls } = await openTab(browser, gallery);
    await page.getByRole('heading', { name: 'Welcome to your gallery' }).waitFor();
    await page.getByText('Open the setup link printed in the terminal').waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, `empty, ${name}`));
    assert.deepEqual(calls(), [], 'the document said it all');

    await page.goto(`${gallery.url}/first-run`);
    await page.getByText('This page needs the setup link').waitFor();
    const code = (await createSetupCode(gallery.deps))!;
    await page.goto(`${gallery.url}/first-run#${code}`);
    await page.getByRole('button', { name: 'Create admin account' }).waitFor();
    await page.waitForURL(`${gallery.url}/first-run`);
    assert.ok(!(await page.content()).includes(code));
    await inEveryLook(page, (name) => assertAccessible(page, `first run, ${name}`));

    await page.getByLabel('Username').fill('ansel');
    await page.getByLabel('Email').fill('ansel@example.org');
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Add your first photos' }).waitFor();
    await page.waitForURL(`${gallery.url}/`);
    const user = await page.evaluate(async () => (await fetch('/api/auth/user')).json());
    assert.equal(user.data.is_admin, true);
    await inEveryLook(page, (name) => assertAccessible(page, `drop zone, ${name}`));
    const zone = page.getByRole('heading', { name: 'Add your first' }).locator('..');
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      const { height } = (await zone.boundingBox())!;
      assert.ok(height > 700, `the drop zone is as high as the window at ${width} px: ${height}`);
    }

    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload photos' }).click();
    await (await choosing).setFiles([
      { name: 'first.jpg', mimeType: 'image/jpeg', buffer: await createJpeg({ width: 300, height: 200 }) },
    ]);
    await page.getByRole('button', { name: 'Upload 1 photo' }).click();
    await page.locator('main .tile').first().waitFor();
    assert.equal(await page.getByText('Add your first photos').count(), 0);

    // The browser history does not contain the setup code either.
    await page.goBack();
    await page.waitForURL(`${gallery.url}/first-run`);
    assert.deepEqual(complaints, []);
    await page.close();
    await browser.context.clearCookies();
    await assertUsedUp(code);
  });

  async function assertUsedUp(code: string): Promise<void> {
    const { page, calls, complaints } = await openTab(browser, gallery, `/first-run#${code}`);
    await page.getByText('This setup link is no longer valid').waitFor();
    assert.equal(await page.getByLabel('Username').count(), 0);
    assert.deepEqual(calls(), [], 'the document said it');
    await inEveryLook(page, (name) => assertAccessible(page, `over, ${name}`));
    assert.deepEqual(complaints, []);
    await page.close();
    await assertRefusedLate();
  }

  /** Asserts that a setup link from an earlier start is refused. */
  async function assertRefusedLate(): Promise<void> {
    const other = await startGallery();
    try {
      const { page } = await openTab(browser, other, '/first-run#another');
      await page.getByLabel('Username').fill('second');
      await page.getByLabel('Email').fill('second@example.org');
      await page.getByLabel('Password').fill(password);
      await page.keyboard.press('Enter');
      await page.getByText('This setup link is invalid').waitFor();
      await assertAccessible(page, 'refused');
      const { body } = await asVisitor(other).get('/api/users/second');
      assert.equal(body.code, 50001);
      await page.close();
    } finally {
      await other.close();
    }
  }

  test('the first run creates the admin like any account if others have registered before', async () => {
    const other = await startGallery();
    try {
      await register(other, 'early');
      const { page, complaints } = await openTab(
        browser,
        other,
        `/first-run#${await createSetupCode(other.deps)}`,
      );
      await page.getByLabel('Username').fill('ansel');
      await page.getByLabel('Email').fill('ansel@example.org');
      await page.getByLabel('Password').fill(password);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${other.url}/`);
      const user = await page.evaluate(async () => (await fetch('/api/auth/user')).json());
      assert.deepEqual([user.data.username, user.data.is_admin], ['ansel', true]);
      assert.deepEqual(complaints, []);
      await page.close();
      await browser.context.clearCookies();
    } finally {
      await other.close();
    }
  });

  test('the first run makes a signed-in person the admin by one button', async () => {
    const other = await startGallery();
    try {
      await register(other, 'dora');
      const { page, complaints } = await openTab(browser, other, '/sign-in');
      await page.getByLabel('Username or email').fill('dora');
      await page.getByLabel('Password').fill(password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Add your first photos' }).waitFor();
      await page.goto(`${other.url}/first-run#${await createSetupCode(other.deps)}`);
      await assertAccessible(page, 'promotion');
      await page.getByRole('button', { name: 'Make dora the admin' }).click();
      await page.waitForURL(`${other.url}/`);
      const user = await page.evaluate(async () => (await fetch('/api/auth/user')).json());
      assert.equal(user.data.is_admin, true);

      await page.goto(`${other.url}/first-run#the-same`);
      await page.getByText('dora is already an admin of this gallery').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Make dora the admin' }).count(), 0);
      await inEveryLook(page, (name) => assertAccessible(page, `an admin already, ${name}`));
      await page.getByRole('link', { name: 'Go to photos' }).click();
      await page.waitForURL(`${other.url}/`);
      assert.deepEqual(complaints, []);
      await page.close();
    } finally {
      await browser.context.clearCookies();
      await other.close();
    }
  });

  for (const [locale, create, tooShort, email] of [
    ['en', 'Create account', 'Enter at least 3 characters.', /^Enter an email address/],
    ['zh-CN', '注册账号', '请至少输入 3 个字符。', /^请输入邮箱地址/],
  ] as const) {
    test(`a form names what is wrong beside each field, and moves the focus to the first (${locale})`, async (context) => {
      const own = await openBrowser({ locale, hasTouch: true, isMobile: true });
      context.after(() => own.close());
      const { page, calls, complaints } = await openTab(own, gallery, '/register');
      const field = (type: string) => page.locator(`form input${type}`);
      const describe = (input: Locator) =>
        input.evaluate((element) => {
          const { ariaInvalid, ariaDescribedByElements } = element as HTMLInputElement;
          return [ariaInvalid, ariaDescribedByElements?.[0]?.textContent, element === document.activeElement];
        });
      const [username, mail] = [field('[name=username]'), field('[name=email]')];
      await username.fill('');
      await username.pressSequentially('ab');
      await mail.fill('nobody');
      await field('[name=password]').fill(password);
      await page.getByRole('button', { name: create, exact: true }).click();
      await page.getByText(tooShort).waitFor();
      assert.deepEqual(await describe(username), ['true', tooShort, true]);
      const [isInvalid, told, isFocused] = await describe(mail);
      assert.deepEqual([isInvalid, isFocused], ['true', false]);
      assert.match(told as string, email);
      await assertAccessible(page, `problems, ${locale}`);
      assert.deepEqual(calls(), [], 'an invalid form sends nothing');

      await username.pressSequentially('c');
      await page.getByText(tooShort).waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'email');
      await mail.fill(`abc-${locale}@example.org`);
      await username.fill(`abc-${locale}`);
      await page.keyboard.press('Enter');
      // A finger drags no files into a window, so the text about the first photos offers no such thing.
      await page.waitForURL(`${gallery.url}/`);
      await page.goto(`${gallery.url}/users/abc-${locale}`);
      const text = locale === 'en' ? 'Choose Upload to add photos.' : '点击“上传”添加照片。';
      await page.getByText(text, { exact: true }).waitFor();
      assert.deepEqual(complaints, []);
    });
  }

  test('the gallery can be installed: the browser finds no error in its manifest', async () => {
    const { page, complaints } = await openTab(browser, gallery);
    const devtools = await browser.context.newCDPSession(page);
    const { errors, data } = await devtools.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    assert.equal(JSON.parse(data!).name, 'Field notes');
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // Ignores the error about private windows: Playwright's windows are private, and private windows cannot
    // install apps.
    const wrong = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito');
    assert.deepEqual(wrong, []);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('an address without a page shows an explanation and a link home', async () => {
    const { page } = await openTab(browser, gallery, '/nope/x');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.getByRole('link', { name: 'Go to photos' }).click();
    await page.waitForURL(`${gallery.url}/`);
    await page.close();
  });
});
