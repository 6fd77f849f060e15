/** Tests the previews of share links in chats, and which of them show nothing. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { getFrom } from '../pages/steps.ts';
import { loadSharePage, share } from './steps.ts';

for (const access of ['public', 'members'] as const) {
  describe(`the preview of a share link in a gallery with access ${access}`, () => {
    let gallery: Gallery;
    let owner: Person;

    before(async () => {
      gallery = await startGallery({ access, registration: 'open' });
      owner = await register(gallery, 'owner');
    });
    after(() => gallery.close());

    async function shareAlbum(album: number, more: object = {}): Promise<string> {
      const made = assertWritten(await owner.post(`/api/albums/${album}/share`, { type: 'link', ...more }));
      return made.url.split('/').at(-1);
    }

    async function loadTags(token: string) {
      const text = (await loadSharePage(gallery, token)).bytes.toString();
      const found = text.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g);
      return {
        text,
        tags: new Map([...found].map(([, name, content]) => [name!, content!.replaceAll('&amp;', '&')])),
      };
    }

    async function assertPicture(tags: Map<string, string>, size: number[]) {
      const { status, headers, bytes } = await asVisitor(gallery).get(
        tags.get('og:image')!.slice(gallery.url.length),
      );
      assert.deepEqual([status, headers.get('content-type')], [200, 'image/jpeg']);
      assert.ok(bytes.length < 600_000);
      const { width, height } = await sharp(bytes).metadata();
      assert.deepEqual([width, height], size);
      assert.deepEqual([tags.get('og:image:width'), tags.get('og:image:height')].map(Number), size);
    }

    test('shows a private photo that the owner shared', async () => {
      const picture = await createJpeg({ width: 600, height: 1800 });
      const { id } = await addPhoto(owner, { title: 'Shared <b>secret</b>', is_public: '0' }, picture);
      const { tags } = await loadTags((await share(owner, id, { allow_download: false })).token);
      assert.equal(tags.get('og:title'), 'Shared &lt;b&gt;secret&lt;/b&gt;');
      await assertPicture(tags, [400, 1200]);
    });

    test('shows the cover of a private album, its name and the number of its photos', async () => {
      const album = await addAlbum(owner, 'Wedding', { isPublic: false });
      const picture = await createJpeg({ width: 1800, height: 1200 });
      await addPhoto(owner, { album_id: String(album) }, picture);
      await addPhoto(owner, { album_id: String(album), is_public: '0' }, picture);
      const { tags } = await loadTags(await shareAlbum(album));
      assert.deepEqual([tags.get('og:title'), tags.get('og:description')], ['Wedding', '2 photos']);
      assert.equal(tags.get('twitter:card'), 'summary_large_image');
      await assertPicture(tags, [1200, 800]);
    });

    test('shows nothing of a link with a password, a limit of views, or an unknown token', async () => {
      const album = await addAlbum(owner, 'Confidential', { isPublic: false });
      await addPhoto(owner, { title: 'Confidential', album_id: String(album) });
      const links = [
        await shareAlbum(album, { password: 'wild duck' }),
        await shareAlbum(album, { max_views: 3 }),
        await shareAlbum(album, { password: 'wild duck', max_views: 3 }),
        'A'.repeat(43),
      ];
      for (const token of links) {
        const { text, tags } = await loadTags(token);
        assert.equal(tags.get('og:title'), undefined);
        for (const word of ['Confidential', '/storage/', 'owner'])
          assert.equal(text.includes(word), false, word);
      }
    });

    test('has no picture for an album without photos', async () => {
      const { tags } = await loadTags(await shareAlbum(await addAlbum(owner, 'Empty')));
      assert.deepEqual([tags.get('og:title'), tags.get('twitter:card')], ['Empty', 'summary']);
      assert.equal(tags.has('og:image'), false);
    });

    test('takes no address from a Host that a stranger wrote', async () => {
      const { token } = await share(owner, (await addPhoto(owner)).id);
      const text = await getFrom(gallery, `/s/${token}`, { Host: 'evil.example' });
      assert.ok(text.includes('og:title'));
      assert.equal(text.includes('evil.example'), false);
    });
  });
}
