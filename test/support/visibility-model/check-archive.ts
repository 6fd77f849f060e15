/** Checks of the files in an album's archive. */
import { unzip } from '../zip.ts';
import { ask, type Context, compareLabels, compareStatus, type Difference } from './check.ts';
import { decideAlbum, listAlbumsIn, listPhotosIn } from './decide.ts';
import type { Album, State, Viewer } from './state.ts';

export async function checkArchive(
  context: Context,
  viewer: Viewer,
  label: string,
): Promise<Difference | undefined> {
  const { state, stage } = context;
  const answer = await ask(context, viewer, `/api/albums/${stage.ids.get(label)}/download`);
  const differs = compareStatus(context, viewer, answer, decideAlbum(state, viewer, label));
  if (differs || answer.status !== 200) return differs;
  const { files } = await unzip(answer.bytes);
  return compareLabels([...files.keys()], listFiles(state, viewer, state.albums.get(label)!));
}

/** Returns the names of all files. Each album inside is a folder, without smart albums. */
function listFiles(state: State, viewer: Viewer, album: Album): string[] {
  const inner = listAlbumsIn(state, viewer, album).filter(({ isSmart }) => !isSmart);
  return [
    ...listPhotosIn(state, viewer, album).map(({ label }) => `harbour ${label}.jpg`),
    ...inner.flatMap((one) => ['', ...listFiles(state, viewer, one)].map((name) => `${one.label}/${name}`)),
  ];
}
