/** Tests the top bar in all window widths: its parts never overlap. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { assertAccessible, openTab, signIn, withoutWeb } from './steps.ts';

describe('the bar', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;

  before(async () => {
    gallery = await startGallery();
    browser = await openBrowser();
    await signIn(browser, gallery, await register(gallery, 'ann'));
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  /** Returns the left and right edges of the bar's parts and their contents, from left to right. */
  function measureEdges(page: Page): Promise<number[]> {
    return page.evaluate(() =>
      ['.bar .brand', '.bar-search', '.bar-actions'].flatMap((part) => {
        const of = document.querySelector(part)!;
        const boxes = [of, ...of.querySelectorAll('button, input, img')]
          .map((one) => one.getBoundingClientRect())
          .filter(({ width }) => width > 1);
        return [Math.min(...boxes.map(({ left }) => left)), Math.max(...boxes.map(({ right }) => right))];
      }),
    );
  }

  test('the bar overlaps nothing at any width, also beside the uploads, and fits a finger', async () => {
    const { page } = await openTab(browser, gallery);
    const upload = page.getByRole('button', { name: 'Upload', exact: true });
    await upload.waitFor();
    const assertApart = async (widths: number[], where: string) => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        const edges = await measureEdges(page);
        const sorted = edges.toSorted((a, b) => a - b);
        assert.deepEqual(edges, sorted, `${width} px ${where}`);
        assert.ok(edges.at(-1)! <= width, `${width} px ${where}: up to ${edges.at(-1)}`);
      }
    };
    await page.setViewportSize({ width: 390, height: 800 });
    const { width, height } = (await upload.boundingBox())!;
    assert.ok(width <= 48 && width >= 44 && height >= 44, `uploading is a sign of ${width} × ${height}`);
    const { width: room } = (await page.getByRole('combobox', { name: 'Search' }).boundingBox())!;
    assert.ok(room >= 150, `${room} px for words`);
    await assertAccessible(page, 'bar');
    await assertApart([390, 701, 768, 834, 1024, 1280, 1440], 'alone');
    const file = { name: 'a.jpg', mimeType: 'image/jpeg', buffer: await createJpeg() };
    await page.locator('#upload-files').setInputFiles([file]);
    await page.getByRole('complementary', { name: 'Uploads' }).waitFor();
    await assertApart([1024, 1280, 1440], 'beside the uploads');
    await page.close();
  });
});
