/** Tests comments, reports and the details of a photo in the viewer's panel, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, intercept, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, password, register, registerAdmin } from '../support/people.ts';
import { assertAccessible, inEveryLook, openTab, signIn, withoutWeb } from './steps.ts';

describe('comments in the browser', { skip: withoutWeb }, () => {
  let gallery: Gallery;
  let browser: Browser;
  let ann: Person;
  let ben: Person;
  let rock: number;
  let river: number;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    ben = await register(gallery, 'ben');
    river = (await addPhoto(ann, { title: 'River' })).id;
    rock = (await addPhoto(ann, { title: 'Rock', tags: 'alps' })).id;
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await gallery?.close();
  });

  const panel = (page: Page) => page.getByRole('complementary', { name: 'Information' });
  const remark = (page: Page, text: string) => panel(page).getByRole('article').filter({ hasText: text });
  async function openAs(name: string, path: string) {
    await signIn(browser, gallery, { name });
    const tab = await openTab(browser, gallery, path);
    await tab.page.getByRole('dialog').waitFor();
    tab.calls();
    return tab;
  }
  async function readComments(photo: number) {
    const { body } = await ann.get(`/api/photos/${photo}/comments`);
    return body.data.list as { id: number; content: string; likes: number; replies: { content: string }[] }[];
  }

  test('the keyboard adds a comment and a reply, which appear at once and are stored', async () => {
    const { page, complaints } = await openAs('ben', `/photos/${rock}`);
    await page.keyboard.press('i');
    const field = page.getByRole('textbox', { name: 'Write a comment' });
    await field.focus();
    // Types letters that are shortcuts of the viewer elsewhere: in the text field they are text.
    await page.keyboard.type('lfi: what a light!');
    await page.keyboard.press('Control+Enter');
    await remark(page, 'lfi: what a light!').waitFor();
    await panel(page).getByRole('heading', { name: '1 comment' }).waitFor();
    assert.equal(await field.inputValue(), '');
    await eventually(async () => assert.equal((await readComments(rock))[0]?.content, 'lfi: what a light!'));
    const { body } = await ben.get(`/api/photos/${rock}`);
    assert.equal(body.data.is_liked, false);
    await page.close();

    const owner = await openAs('ann', `/photos/${rock}`);
    await owner.page.keyboard.press('i');
    const first = remark(owner.page, 'what a light!');
    await first.getByRole('button', { name: 'Reply' }).press('Enter');
    await owner.page.getByRole('textbox', { name: 'Reply to ben' }).fill('Six in the morning.');
    await owner.page.keyboard.press('Control+Enter');
    await remark(owner.page, 'Six in the morning.').waitFor();
    await first.getByRole('button', { name: 'Like this comment' }).click();
    await first.getByRole('button', { name: 'Like this comment', pressed: true }).waitFor();
    await eventually(async () => {
      const [comment] = await readComments(rock);
      assert.equal(comment?.likes, 1);
      assert.deepEqual(
        comment?.replies.map(({ content }) => content),
        ['Six in the morning.'],
      );
    });
    await owner.page.reload();
    await owner.page.getByRole('dialog').waitFor();
    await owner.page.keyboard.press('i');
    await remark(owner.page, 'Six in the morning.').waitFor();
    await inEveryLook(owner.page, (name) => assertAccessible(owner.page, name));
    assert.deepEqual([...complaints, ...owner.complaints], []);
    await owner.page.close();
    await browser.context.clearCookies();
  });

  test('comments load only beside a photo that stays open, and older ones and replies on request', async () => {
    for (let n = 1; n <= 22; n++)
      await ben.post(`/api/photos/${river}/comments`, { content: `Remark ${n}.` });
    const [newest] = await readComments(river);
    for (let n = 1; n <= 5; n++)
      await ben.post(`/api/photos/${river}/comments`, { content: `Answer ${n}.`, parent_id: newest!.id });
    const { page, calls } = await openAs('ann', `/photos/${rock}`);
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(`**/photos/${river}`);
    // Waits for the details of the photo on which the viewer rests. All other calls have been made by then.
    await page.waitForResponse((response) => response.url().endsWith(`/api/photos/${river}`));
    assert.deepEqual(
      calls().filter((call) => call.includes('/comments')),
      [],
    );
    await page.keyboard.press('i');
    await remark(page, 'Remark 22.').waitFor();
    assert.deepEqual(calls(), [`GET /api/photos/${river}/comments?page=1&limit=20`]);
    await panel(page).getByRole('button', { name: 'Show 2 more replies' }).click();
    await remark(page, 'Answer 5.').waitFor();
    assert.equal(await remark(page, 'Answer').count(), 5);
    assert.equal(await remark(page, 'Remark 2.').count(), 0);
    await panel(page).getByRole('button', { name: 'Show older comments' }).click();
    await remark(page, 'Remark 1.').waitFor();
    assert.equal(await remark(page, 'Remark').count(), 22);
    assert.equal(await panel(page).getByRole('button', { name: 'Show older comments' }).count(), 0);
    // The owner of a photo can delete other users' comments with their replies.
    await remark(page, 'Remark 22.').getByRole('button', { name: 'Delete' }).click();
    const sure = page.getByRole('dialog', { name: 'Delete this comment and its replies?' });
    await sure.getByRole('button', { name: 'Delete' }).click();
    await remark(page, 'Remark 22.').waitFor({ state: 'detached' });
    assert.equal(await remark(page, 'Answer').count(), 0);
    await eventually(async () => assert.equal((await readComments(river))[0]?.content, 'Remark 21.'));
    await page.close();
    await browser.context.clearCookies();
  });

  test('a typed comment survives a failed request and a sign-in', async () => {
    const { page } = await openTab(browser, gallery, `/photos/${rock}`);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('i');
    assert.equal(await page.getByRole('textbox', { name: 'Write a comment' }).count(), 0);
    await page.getByRole('link', { name: 'Sign in to comment' }).click();
    await page.getByLabel('Username or email').fill('ben');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`**/photos/${rock}`);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('i');
    const field = page.getByRole('textbox', { name: 'Write a comment' });
    await field.fill('Not lost.');
    await intercept(page, '**/comments', (route) =>
      route.fulfill({ status: 503, json: { code: 50003, message: 'x' } }),
    );
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await panel(page).getByRole('alert').waitFor();
    assert.equal(await field.inputValue(), 'Not lost.');
    await page.unroute('**/comments');
    await page.reload();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('i');
    assert.equal(await field.inputValue(), 'Not lost.');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await remark(page, 'Not lost.').waitFor();
    await page.close();
    await browser.context.clearCookies();
  });

  test('a user reports a photo of somebody else to the admins with a reason', async () => {
    const admin = await registerAdmin(gallery, 'ada');
    const { page } = await openAs('ben', `/photos/${rock}`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Report this photo' }).click();
    await page.waitForFunction(() => document.activeElement?.matches('form[aria-label=Report] select'));
    await page.getByLabel('Reason').selectOption('copyright');
    await page.keyboard.press('Tab');
    await page.keyboard.type('It is mine.');
    assert.equal(await page.getByLabel('Details (optional)').inputValue(), 'It is mine.');
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.getByRole('button', { name: 'Submit report' }).click();
    await panel(page).getByText('An admin will review your report.').waitFor();
    const { body } = await admin.get('/api/admin/reports?status=open');
    const [report] = body.data.list;
    assert.equal(report.reason, 'copyright');
    assert.equal(report.content, 'It is mine.');
    await page.close();
    await browser.context.clearCookies();
  });

  test('the owner changes title, description, tags and visibility in place, and Esc cancels', async () => {
    const { page } = await openAs('ann', `/photos/${rock}`);
    await page.keyboard.press('i');
    const change = panel(page).getByRole('button', { name: 'Edit details' });
    await change.click();
    await page.getByLabel('Title').fill('Nothing of this');
    await page.keyboard.press('Escape');
    await panel(page).getByRole('heading', { name: 'Rock', exact: true }).waitFor();
    await change.click();
    await page.getByLabel('Title').fill('Big rock');
    await page.getByLabel('Description').fill('Limestone.');
    await page.getByLabel('Tags').fill('alps, stone, , stone');
    await page.getByLabel('Only me').check();
    await inEveryLook(page, (name) => assertAccessible(page, name));
    await page.getByRole('button', { name: 'Save' }).click();
    await panel(page).getByRole('heading', { name: 'Big rock', exact: true }).waitFor();
    await panel(page).getByText('Only you, admins and people with a link').waitFor();
    await panel(page).getByRole('link', { name: 'stone' }).waitFor();
    const { body } = await ann.get(`/api/photos/${rock}`);
    const { title, description, tags, visibility } = body.data;
    assert.deepEqual(
      { title, description, tags, visibility },
      { title: 'Big rock', description: 'Limestone.', tags: ['alps', 'stone'], visibility: 'private' },
    );
    // An error of the API is shown beside its field, and the form keeps its other input.
    await change.click();
    await page.getByLabel('Tags').fill('x'.repeat(90));
    await page.getByRole('button', { name: 'Save' }).click();
    await panel(page).getByRole('alert').waitFor();
    assert.equal(await page.getByLabel('Tags').inputValue(), 'x'.repeat(90));
    await page.close();
    await browser.context.clearCookies();
  });
});
