/** Checks of what share links of albums show. */
import {
  ask,
  type Check,
  type Context,
  compareCount,
  compareOpened,
  compareStatus,
  type Difference,
  findFirst,
} from './check.ts';
import { comparePage } from './check-photo-list.ts';
import { compareCover } from './compare-album.ts';
import { canOpenImage, decideShare, findSharedCover, listShared } from './decide.ts';
import { findLabel, type Link } from './stage.ts';

export function createShareChecks(share: string, { album }: Link): Check[] {
  return [
    {
      name: `somebody opens ${share}`,
      viewer: 'stranger' as const,
      about: album,
      givesPaths: true,
      run: (context: Context) => checkLink(context, share),
    },
    {
      name: `somebody opens the images at the paths that ${share} gave`,
      viewer: 'stranger' as const,
      about: album,
      run: (context: Context) => checkGivenPaths(context, share),
    },
  ];
}

async function checkLink(context: Context, label: string): Promise<Difference | undefined> {
  const { state, stage } = context;
  const answer = await ask(context, 'stranger', `/api/shares/${stage.links.get(label)!.token}?limit=100`);
  const differs = compareStatus(context, 'stranger', answer, decideShare(state, label));
  if (differs || answer.status !== 200) return differs;
  const share = state.shares.get(label)!;
  const photos = listShared(state, share);
  const cover = findSharedCover(state, share);
  const { album, photos: page } = answer.body.data;
  const images = [];
  for (const { id, thumb } of page.list) {
    stage.givenPaths.set(`${label} ${findLabel(stage, 'photo', id)}`, thumb);
    images.push(compareOpened((await ask(context, 'stranger', thumb)).status === 200, true));
  }
  return findFirst(
    comparePage(context, page, photos),
    compareCount(context, 'photo_count', album.photo_count, photos.length),
    compareCover(stage, 'the cover', album.cover, cover ? [...photos, cover] : photos, cover),
    ...images,
  );
}

/** Checks that the images at the paths of a link end with the link, and with the photo's place in the album. */
async function checkGivenPaths(context: Context, label: string): Promise<Difference | undefined> {
  const { state, stage } = context;
  const share = state.shares.get(label);
  const shown = share && decideShare(state, label).code === 0 ? listShared(state, share) : [];
  const differences = [];
  for (const [key, path] of stage.givenPaths) {
    const photo = key.slice(label.length + 1);
    if (!key.startsWith(`${label} `) || canOpenImage(state, 'stranger', photo)) continue;
    if (shown.some((one) => one.label === photo)) continue;
    const { status } = await ask(context, 'stranger', path);
    const differs = compareOpened(status === 200, false);
    differences.push(differs && { ...differs, text: `${differs.text} of ${photo}` });
  }
  return findFirst(...differences);
}
