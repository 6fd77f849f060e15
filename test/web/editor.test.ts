/**
 * Tests the editor in a real browser: its preview equals the server's result, no work is lost, and everything
 * works by keyboard.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import type { EditStep } from '../../server/platform/imaging/edits/actions.ts';
import { type Browser, intercept, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';
import { looks } from './editor-looks.ts';
import { picture } from './photograph.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';

describe('the editor', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let id: number;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    await register(gallery, 'ben');
    await addPhoto(ann, { title: 'Other' });
    id = (await addPhoto(ann, { title: 'Dunes' }, await picture())).id;
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const editor = (page: Page) => page.getByRole('dialog', { name: 'Edit photo' });
  const steps = async () => {
    const { body } = await ann.get(`/api/photos/${id}/edits`);
    return (body.data.list as EditStep[]).map(({ action, params }) => ({ action, params }));
  };
  const strip = (page: Page) => page.getByRole('list', { name: 'Edit steps' });
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
  const tool = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Tools' }).getByRole('button', { name });

  async function openAs(name: string, path = `/photos/${id}`) {
    await signIn(browser, gallery, { name });
    const tab = await openTab(browser, gallery, path);
    await tab.page.getByRole('dialog').waitFor();
    tab.calls();
    return tab;
  }
  async function openEditor() {
    const tab = await openAs('ann');
    await tab.page.setViewportSize({ width: 1440, height: 900 });
    await tab.page.keyboard.press('e');
    await strip(tab.page).waitFor();
    return tab;
  }
  const reset = () => ann.put(`/api/photos/${id}/edits`, { steps: [] });

  /** Returns a screenshot of the picture in the given size. */
  async function shot(page: Page, size: { width: number; height: number }): Promise<Buffer> {
    const frame = page.locator('[data-size]');
    await frame.locator('img').evaluate((image: HTMLImageElement) => image.decode());
    return sharp(await frame.screenshot({ animations: 'disabled' }))
      .resize(size.width, size.height, { fit: 'fill' })
      .removeAlpha()
      .raw()
      .toBuffer();
  }
  /** Returns the mean difference of all color values, from 0 to 255. */
  function difference(one: Buffer, other: Buffer): number {
    assert.equal(one.length, other.length);
    let sum = 0;
    for (let at = 0; at < one.length; at++) sum += Math.abs(one[at]! - other[at]!);
    return sum / one.length;
  }

  test('the editor crops, turns, filters, saves, and shows the result on the wall', async () => {
    await reset();
    const { page, complaints, calls } = await openEditor();
    assert.deepEqual(
      calls().filter((call) => call.includes('/edits')),
      [`GET /api/photos/${id}/edits`],
    );
    await page.getByRole('button', { name: '1:1' }).click();
    await page.getByText('634 × 634 px').waitFor();
    await tool(page, 'Rotate').click();
    await strip(page).getByRole('button', { name: 'Crop 634 × 634', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Rotate right' }).click();
    await tool(page, 'Adjust').click();
    await page.getByRole('button', { name: 'Sepia' }).click();
    await page.getByRole('slider', { name: 'Contrast' }).fill('20');
    await save(page).click();
    await editor(page).waitFor({ state: 'detached' });
    assert.deepEqual(await steps(), [
      { action: 'crop', params: { x: 158, y: 0, width: 634, height: 634 } },
      { action: 'rotate', params: { angle: 90 } },
      { action: 'filter', params: { type: 'sepia' } },
      { action: 'filter', params: { type: 'contrast', value: 20 } },
    ]);
    assert.deepEqual(
      calls().filter((call) => !call.startsWith('GET ')),
      [`PUT /api/photos/${id}/edits`],
    );
    const { body } = await ann.get(`/api/photos/${id}`);
    await eventually(async () =>
      assert.equal(
        await page.getByRole('dialog').locator('img[alt="Dunes"]').first().getAttribute('src'),
        body.data.preview,
      ),
    );
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const tile = page.getByRole('link', { name: 'Dunes', exact: true });
    const box = (await tile.boundingBox())!;
    assert.ok(Math.abs(box.width / box.height - 1) < 0.02, `${box.width} × ${box.height}`);
    assert.equal(await tile.locator('img').getAttribute('src'), body.data.thumb);
    assert.deepEqual(complaints, []);
    await page.close();
    await browser.context.clearCookies();
  });

  test('the editor shows the same picture as the server renders', async () => {
    for (const [name, wanted] of Object.entries(looks)) {
      const { body } = await ann.put(`/api/photos/${id}/edits`, { steps: wanted });
      assert.equal(body.code, 0, JSON.stringify(body));
      const { bytes } = await ann.get(`/api/photos/${id}/download`);
      const size = { width: 120, height: Math.round((120 * body.data.height) / body.data.width) };
      const made = await sharp(bytes)
        .resize(size.width, size.height, { fit: 'fill' })
        .removeAlpha()
        .raw()
        .toBuffer();
      const { page } = await openEditor();
      await page.getByText(`${body.data.width} × ${body.data.height} px`).waitFor();
      // Opens the tool without the crop frame, which would cover the picture.
      await tool(page, 'Rotate').click();
      const shown = await shot(page, size);
      const apart = difference(shown, made);
      assert.ok(apart < 8, `${name}: ${apart.toFixed(1)} of 255 apart`);
      // Asserts that the difference is large for another picture, so that the comparison proves something.
      const other = await sharp(made, { raw: { ...size, channels: 3 } })
        .flop()
        .raw()
        .toBuffer();
      assert.ok(difference(shown, other) > apart, name);
      await page.close();
      await browser.context.clearCookies();
    }
  });

  test('the editor undoes, redoes, removes a step, compares, and asks before leaving, by keyboard', async () => {
    await reset();
    const { page } = await openAs('ann');
    await page.setViewportSize({ width: 1440, height: 900 });
    // Opens the photo from the wall, so that Back leads to a page of the same document.
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Dunes', exact: true }).click();
    await page.getByRole('dialog').getByText('Dunes', { exact: true }).first().waitFor();
    await page.keyboard.press('e');
    await strip(page).waitFor();
    await page.keyboard.press('r');
    await page.getByText('634 × 950 px').waitFor();
    await tool(page, 'Adjust').press('Enter');
    await page.getByRole('slider', { name: 'Brightness' }).focus();
    for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight');
    await strip(page).getByText('Brightness +3').waitFor();
    await tool(page, 'Rotate').press('Enter');
    await page.getByRole('slider', { name: 'Straighten' }).focus();
    for (let n = 0; n < 4; n++) await page.keyboard.press('ArrowRight');
    await strip(page).getByText('Straighten 0.4°').waitFor();
    await page.keyboard.press('Control+z');
    assert.equal(await strip(page).getByText('Straighten').count(), 0);
    await tool(page, 'Adjust').press('Enter');
    // Three presses of the same key count as one step for undo.
    await page.keyboard.press('Control+z');
    assert.equal(await strip(page).getByText('Brightness').count(), 0);
    await page.keyboard.press('Control+Shift+z');
    await strip(page).getByText('Brightness +3').waitFor();
    await page.keyboard.down('b');
    await page.locator('img[style*="matrix(1, 0, 0, 1, 0, 0)"]').waitFor();
    await page.keyboard.up('b');
    await page.locator('img[style*="brightness(1.03)"]').waitFor();
    await strip(page).getByRole('button', { name: 'Remove: Rotate 90°' }).press('Enter');
    await page.getByText('950 × 634 px').waitFor();
    await tool(page, 'Resize').press('Enter');
    await page.getByLabel('Width').fill('475');
    await page.keyboard.press('Enter');
    await page.getByText('475 × 317 px').waitFor();
    // Moves a corner of the crop frame by the arrow keys.
    await tool(page, 'Crop').press('Enter');
    await page.getByRole('button', { name: 'Bottom right corner' }).focus();
    for (let n = 0; n < 4; n++) await page.keyboard.press('Control+ArrowLeft');
    await page.getByText('475 × 317 px').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    const question = page.getByRole('alertdialog');
    await question.waitFor();
    await assertAccessible(page, 'the question');
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await page.goBack();
    await question.waitFor();
    assert.ok(page.url().endsWith(`/photos/${id}`));
    await question.getByRole('button', { name: 'Discard' }).press('Enter');
    await editor(page).waitFor({ state: 'detached' });
    assert.deepEqual(await steps(), []);
    // After the editor closes, the viewer reacts to its keys again.
    await page.keyboard.press('i');
    await page.getByRole('complementary', { name: 'Information' }).waitFor();
    await page.close();
    await browser.context.clearCookies();
  });

  test('the editor reports a failed save and keeps the work, and can restore the original', async () => {
    await reset();
    const { page } = await openEditor();
    await page.keyboard.press('r');
    await intercept(page, '**/edits', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 503, json: { code: 50003, message: 'Busy' } })
        : route.fallback(),
    );
    await page.keyboard.press('Control+s');
    await editor(page).getByRole('alert').waitFor();
    await strip(page).getByText('Rotate 90°').waitFor();
    assert.deepEqual(await steps(), []);
    await page.unroute('**/edits');
    await editor(page).getByRole('button', { name: 'Try again' }).click();
    await editor(page).waitFor({ state: 'detached' });
    assert.deepEqual(await steps(), [{ action: 'rotate', params: { angle: 90 } }]);
    await page.keyboard.press('e');
    await strip(page).getByText('Rotate 90°').waitFor();
    await strip(page).getByRole('button', { name: 'Original' }).click();
    await page.keyboard.press('Control+s');
    await editor(page).waitFor({ state: 'detached' });
    assert.deepEqual(await steps(), []);
    await page.close();
    await browser.context.clearCookies();
  });

  test('the editor works at every width and color scheme, and only for the owner of a photo', async () => {
    await ann.put(`/api/photos/${id}/edits`, { steps: looks['a warm print'] });
    const { page, complaints } = await openEditor();
    for (const name of ['Crop', 'Rotate', 'Resize', 'Adjust']) {
      await tool(page, name).click();
      await inEveryLook(page, (look) => assertAccessible(page, `${name}, ${look}`));
    }
    assert.deepEqual(complaints, []);
    await page.close();
    await browser.context.clearCookies();
    const stranger = await openAs('ben');
    await stranger.page.getByRole('button', { name: 'Like' }).waitFor();
    assert.ok(await stranger.page.getByRole('button', { name: 'Edit', exact: true }).isDisabled());
    await stranger.page.keyboard.press('e');
    await stranger.page.keyboard.press('i');
    await stranger.page.getByRole('complementary').waitFor();
    assert.equal(await editor(stranger.page).count(), 0);
    await stranger.page.close();
    await browser.context.clearCookies();
  });
});
