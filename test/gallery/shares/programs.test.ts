/** Tests which requests for a share link count as views: those of people, not those of programs. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, type Person, register } from '../../support/people.ts';
import { assertGone, type CreatedShare, listed, loadSharePage, sharePrivate } from './steps.ts';

const chrome =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36';

const programs: Record<string, string>[] = [
  'WhatsApp/2.23.20.0',
  'WhatsApp/2',
  'TelegramBot (like TwitterBot)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'facebookexternalhit/1.1;line-poker/1.0',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Slack-ImgProxy (+https://api.slack.com/robots)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; +http://www.linkedin.com)',
  'Viber/13.3.0.5 CFNetwork/1240 Darwin/20',
  'Synapse (bot; +https://github.com/matrix-org/synapse)',
  'Mastodon/4.3.0 (http.rb/5.2.0; +https://mastodon.example/) Bot',
  'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)',
  'kakaotalk-scrap/1.0; +https://devtalk.kakao.com/',
  'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
].map((agent) => ({ 'User-Agent': agent }));
const early: Record<string, string>[] = [
  { 'User-Agent': chrome, 'Sec-Purpose': 'prefetch' },
  { 'User-Agent': chrome, 'Sec-Purpose': 'prefetch;prerender' },
  { 'User-Agent': chrome, Purpose: 'prefetch' },
  { 'User-Agent': chrome, 'X-Moz': 'prefetch' },
  { 'User-Agent': chrome, 'X-Purpose': 'preview' },
];
const people: Record<string, string>[] = [
  chrome,
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 9; CUBOT_X19 Build/PPR1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120 Safari/537.36',
  'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.44',
  'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/21E236 Instagram 330.0.3.29.97',
  'Mozilla/5.0 (Linux; Android 14) Chrome/124.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/460.0;]',
  'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
  'okhttp/4.12.0',
  'curl/8.5.0',
].map((agent) => ({ 'User-Agent': agent }));

describe('the views of a share link', () => {
  let gallery: Gallery;
  let owner: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
  });
  after(() => gallery.close());

  /** Returns the number of views that the requests count for the link, with page and API each. */
  async function countViews({ id, token }: CreatedShare, requests: Record<string, string>[]) {
    const before = (await listed(owner, id)).views;
    for (const headers of requests) {
      assert.equal((await loadSharePage(gallery, token, headers)).status, 200);
      assert.equal((await asVisitor(gallery).get(`/api/shares/${token}`, headers)).status, 200);
    }
    await gallery.deps.db.counters.flush();
    return (await listed(owner, id)).views - before;
  }

  test('do not count programs that preview links, or pages loaded in advance', async () => {
    const made = await sharePrivate(owner);
    for (const headers of [...programs, ...early])
      assert.equal(await countViews(made, [headers]), 0, JSON.stringify(headers));
  });

  test('count people with any browser, and applications', async () => {
    assert.equal(await countViews(await sharePrivate(owner), people), people.length * 2);
  });

  test('stay limited for a client that pretends to preview the link', async () => {
    const { token } = await sharePrivate(owner, { max_views: 1 });
    const read = () => asVisitor(gallery).get(`/api/shares/${token}`, { ...programs[0], ...early[0] });
    assert.equal((await read()).status, 200);
    assert.equal((await read()).status, 404);
    await assertGone(gallery, token);
  });
});
