/** Opens every dialog of a user's pages and the forms inside them, so that browser tests can check each. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Gallery } from '../support/harness.ts';
import type { Person } from '../support/people.ts';
import type { Translate } from './chinese.ts';

export interface DialogGallery {
  gallery: Gallery;
  page: Page;
  say: Translate;
  /** Id of an album with photos that belongs to the signed-in user. */
  album: number;
  /** Id of a photo with a comment of another user. Another photo is in the trash. */
  photo: number;
  /** Id of a photo of another user. */
  other: number;
}

/** Creates links, a smart album and a trashed photo for `walkDialogs`. Returns the id of the smart album. */
export async function addForDialogs(owner: Person, photo: number, trashed: number): Promise<number> {
  const answers = [
    await owner.post(`/api/photos/${photo}/share`, { type: 'link' }),
    await owner.post('/api/webhooks', { url: 'https://example.org/hooks', events: ['photo.created'] }),
    await owner.post('/api/auth/tokens', { name: '相框', scopes: ['read'] }),
    await owner.delete(`/api/photos/${trashed}`),
    await owner.post('/api/albums', { name: '聪明', rule: 'tag:winter' }),
  ];
  for (const { status, body } of answers) assert.ok(status < 300, JSON.stringify(body));
  return answers.at(-1)!.body.data.id;
}

/** Opens all dialogs one after the other, and calls `look` for each. The last dialog ends the session. */
export async function walkDialogs(
  place: DialogGallery,
  smart: number,
  look: (name: string) => Promise<void>,
) {
  const { gallery, page, say, album, photo, other } = place;
  const press = (key: string) =>
    page
      .getByRole('button', { name: say(key), exact: true })
      .first()
      .click();
  const choose = (key: string) => page.getByRole('menuitem', { name: say(key), exact: true }).click();
  /** Resolves when the network is idle, because then the page has loaded its keyboard handlers. */
  const isQuiet = () => page.waitForLoadState('networkidle');
  const select = async () => {
    const bar = page.getByRole('region', { name: say('selection') });
    if (await bar.isVisible()) return;
    await isQuiet();
    await page.locator('.tile[data-id]').first().focus();
    await page.keyboard.press('x');
    await bar.waitFor();
  };
  const ask = (key: string) => async () => {
    await select();
    await page.keyboard.press(key);
  };
  const ofAlbum = (key: string) => async () => {
    await press('albumOptions');
    await choose(key);
  };
  const openPanel = async () => {
    const panel = page.getByRole('complementary', { name: say('info') });
    if (!(await panel.isVisible())) await press('info');
    await panel.waitFor();
  };
  const ofComment = (key: string) => async () => {
    await openPanel();
    await page
      .getByRole('article')
      .getByRole('button', { name: say(key), exact: true })
      .first()
      .click();
  };
  const endSession = async () => {
    // Waits until the page knows whether the photo is a favorite, because the name of the button changes
    // then.
    const favorite = page.locator('button[data-action=favorite]').first();
    await favorite.waitFor();
    await isQuiet();
    await page.context().clearCookies();
    // Clicks by script, because the sign-in dialog may already cover the button after another request.
    await favorite.evaluate((element) => (element as HTMLElement).click());
  };
  const dialog = 'dialog[open]';
  const form = 'aside form';
  const ways: [name: string, path: string, open: () => Promise<unknown>, what?: string][] = [
    ['share a photo', `/photos/${photo}`, () => press('share')],
    ['its link', '', () => press('shareCreate'), `${dialog} img, ${dialog} svg[role=img]`],
    ['albums of a photo', `/photos/${photo}`, () => press('addToAlbum'), `${dialog} li[data-album]`],
    ['share an album', `/albums/${album}`, () => press('share')],
    ['name of an album', `/albums/${album}`, ofAlbum('albumEditDetails')],
    ['move an album', `/albums/${album}`, ofAlbum('albumMove')],
    ['cover of an album', `/albums/${album}`, ofAlbum('albumChangeCover'), `${dialog} li`],
    ['album within an album', `/albums/${album}`, ofAlbum('albumNewSub')],
    ['delete an album', `/albums/${album}`, ofAlbum('albumDelete')],
    ['rule of an album', `/albums/${smart}`, ofAlbum('albumEditRule')],
    ['new album', '/albums', () => press('albumNew')],
    ['tag', '/users/ann', ask('t')],
    ['describe', '/users/ann', ask('n')],
    ['visibility', '/users/ann', ask('v')],
    ['add to an album', '/users/ann', ask('a'), `${dialog} li[data-album]`],
    ['empty the trash', '/trash', () => press('emptyTrash')],
    ['delete for good', '/trash', ask('Delete')],
    ['link', '/shares', () => press('shareLink'), `${dialog} img, ${dialog} svg[role=img]`],
    ['rules of a link', '/shares', () => press('shareEdit')],
    ['revoke a link', '/shares', () => press('shareRevoke')],
    ['list of keys', '/users/ann', () => isQuiet().then(() => page.keyboard.press('?'))],
    ['delete a key', '/settings/keys', () => press('delete')],
    ['delete a webhook', '/settings/webhooks', () => press('delete')],
    ['report', `/photos/${other}`, () => openPanel().then(() => press('reportPhoto')), form],
    ['delete a comment', `/photos/${photo}`, ofComment('deleteComment')],
    ['report a comment', `/photos/${photo}`, ofComment('report'), 'article form'],
    ['details', `/photos/${photo}`, () => openPanel().then(() => press('editDetails')), form],
    ['editor', `/photos/${photo}`, () => press('edit'), '[role=dialog] aside nav button'],
    ['session ended', `/photos/${photo}`, endSession],
  ];
  let here = '';
  for (const [name, path, open, what = dialog] of ways) {
    if (path !== '' && path === here) {
      await page.keyboard.press('Escape');
      await page.locator(dialog).waitFor({ state: 'detached' });
    } else if (path !== '') await page.goto(gallery.url + path);
    here = path || here;
    await open();
    await page.locator(what).first().waitFor();
    await page.locator(`${dialog} [aria-busy=true]`).waitFor({ state: 'detached' });
    await look(name);
  }
}
