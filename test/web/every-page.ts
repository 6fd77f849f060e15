/** Every page of the gallery, and a gallery with data for most of them, for tests that open each page. */
import { pageRoutes } from '../../server/gallery/pages/pages.ts';
import { assertWritten } from '../support/assert-answers.ts';
import type { Gallery } from '../support/harness.ts';
import { addComment, addReport } from '../support/moderation.ts';
import { addAlbum, addPhoto, type Person, register, registerAdmin } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { addForDialogs } from './dialogs.ts';

export interface FullGallery {
  /** The admin, who owns everything except `other`. */
  ann: Person;
  album: number;
  smart: number;
  /** Id of the newest of five photos in the album, with a comment and a report by Ben. */
  photo: number;
  /** Id of a photo of Ben, whom Ann follows. */
  other: number;
}

/** Texts written by users, in the language of the pages. */
export interface WrittenTexts {
  album: string;
  photo: string;
  comment: string;
}

export async function fillGallery(gallery: Gallery, texts: WrittenTexts): Promise<FullGallery> {
  const ann = await registerAdmin(gallery, 'ann');
  const ben = await register(gallery, 'ben');
  const album = await addAlbum(ann, texts.album);
  let photo = 0;
  for (let n = 0; n < 5; n++) {
    const picture = await createJpeg({
      width: 300 + n * 60,
      height: 220,
      colour: `hsl(${n * 40}, 45%, 45%)`,
    });
    const fields = { title: `${texts.photo} ${n}`, tags: 'x', album_id: String(album) };
    photo = (await addPhoto(ann, fields, picture)).id;
  }
  const trashed = (await addPhoto(ann, { title: texts.photo })).id;
  const smart = await addForDialogs(ann, photo, trashed);
  const other = (await addPhoto(ben, { title: texts.photo })).id;
  await addComment(ben, photo, texts.comment);
  await addReport(ben, 'photo', photo);
  assertWritten(await ann.post(`/api/photos/${photo}/favorite`));
  assertWritten(await ann.post('/api/users/ben/follow', { followed: true }));
  assertWritten(await ben.post('/api/users/ann/follow', { followed: true }));
  assertWritten(await ann.post('/api/admin/invites', { uses: 1, expires: 1 }));
  return { ann, album, smart, photo, other };
}

const withoutAccount = /^\/(sign-in|register|join|forgot|reset|confirm-email|first-run)/;

/**
 * Returns the URLs of all pages, by the users who open them. `viewers` are photos opened over their
 * lists.
 */
export function everyPage({ album, photo, other }: FullGallery) {
  const pages = pageRoutes.map(({ path, isForAdmins = false }) => {
    const address = path
      .replace(/photos\/:(id|photoId)/, `photos/${path.startsWith('/feed') ? other : photo}`)
      .replace(':name', 'ann')
      .replace(':token', 'an-invite')
      .replace(':id', String(album));
    return { path: path.startsWith('/search') ? `${address}?q=tag:x` : address, isForAdmins };
  });
  const among = (filter: (page: (typeof pages)[number]) => boolean) =>
    pages.filter(filter).map(({ path }) => path);
  const isViewer = (path: string) => /\/photos\/\d/.test(path);
  return {
    signedOut: ['/', ...among(({ path }) => withoutAccount.test(path)), '/nowhere'],
    own: among(({ path, isForAdmins }) => !isForAdmins && !isViewer(path) && !withoutAccount.test(path)),
    viewers: among(({ path }) => isViewer(path)),
    admin: among(({ isForAdmins }) => isForAdmins),
  };
}
