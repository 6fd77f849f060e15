/** Sends one hostile picture. An accepted picture is used in every way that a user can. */
import { type Answer, asVisitor, type GalleryUrl, type Person } from '../../test/support/people.ts';
import type { Random } from '../../test/support/random.ts';
import type { UnderWay } from './save-files.ts';
import { addFault, countOne, type Tally } from './tally.ts';

const edits = [
  { action: 'rotate', params: { angle: 90 } },
  { action: 'flip', params: { direction: 'h' } },
  { action: 'resize', params: { width: 200, height: 120 } },
  { action: 'crop', params: { x: 0, y: 0, width: 1, height: 1 } },
  { action: 'filter', params: { type: 'blur', value: 3 } },
  { action: 'filter', params: { type: 'sepia' } },
  { action: 'filter', params: { type: 'contrast', value: -40 } },
];

export interface Sent {
  bytes: Buffer;
  /** Name of the picture and description of its damage. */
  what: string;
  /** Format of the picture, or the reason why it is hostile; responses are counted by kind. */
  kind: string;
}

export interface Scene {
  server: GalleryUrl;
  owner: Person;
  tally: Tally;
  random: Random;
  as?: 'photo' | 'avatar';
  /** Fraction of accepted pictures that are used in every way. */
  usedShare?: number;
}

/** Fraction of accepted pictures that are deleted, because the final check of more photos would take long. */
const deletedShare = 0.9;
const fileNames = ['a.jpg', 'b.png', '../../c.heic', 'd', 'e.svg', 'f\u202egpj.exe'];

type Ask = (name: string, send: () => Promise<Answer>) => Promise<Answer | undefined>;

export async function use(scene: Scene, sent: Sent): Promise<void> {
  const { tally, owner } = scene;
  const file: UnderWay = { bytes: sent.bytes, what: sent.what, asked: '' };
  tally.underWay.add(file);
  countOne(tally.sent, sent.kind);
  const ask: Ask = (name, send) => askOne({ tally, file, kind: sent.kind }, name, send);
  try {
    if (scene.as === 'avatar') await ask('avatar', () => sendAvatar(owner, sent.bytes));
    else await sendPhoto(scene, sent, ask);
  } finally {
    tally.underWay.delete(file);
  }
}

async function askOne(
  { tally, file, kind }: { tally: Tally; file: UnderWay; kind: string },
  name: string,
  send: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const { bytes, what } = file;
  const start = performance.now();
  file.asked = name;
  const answer = await send().catch((error: Error) => {
    const told = `${what}: ${name}: ${error.message.slice(0, 300)}`;
    // An AssertionError means a response that openapi.json does not promise; other errors are broken
    // connections.
    if (error.name === 'AssertionError') addFault(tally, file, told);
    else if (tally.crashes.push(told) === 1) tally.atCrash = [...tally.underWay];
    return undefined;
  });
  const took = performance.now() - start;
  if (took > tally.slowest)
    [tally.slowest, tally.slowestWhat] = [took, `${name} of ${what}, ${bytes.length} bytes`];
  if (!answer) return undefined;
  countOne(tally.statuses, `${kind} ${name.replaceAll(' ', '-')} ${answer.status}`);
  if (answer.status >= 500)
    addFault(tally, file, `${what}: ${name}: ${answer.status} ${answer.bytes.toString().slice(0, 200)}`);
  return answer;
}

function sendAvatar(owner: Person, bytes: Buffer): Promise<Answer> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'me.jpg');
  return owner.send('POST', '/api/auth/avatar', { body: form });
}

async function sendPhoto(scene: Scene, sent: Sent, ask: Ask): Promise<void> {
  const { owner, tally, random, usedShare = 1 } = scene;
  const upload = await ask('upload', () =>
    owner.upload(sent.bytes, { is_public: random.chance(0.5) ? '1' : '0' }, random.pick(fileNames)),
  );
  if (upload?.status !== 200) {
    tally.refused++;
    return;
  }
  tally.accepted++;
  const { id } = upload.body.data;
  if (random.chance(usedShare)) await lookAtAccepted(scene, sent, id, ask);
  if (!random.chance(deletedShare)) return;
  await ask('delete', () => owner.delete(`/api/photos/${id}`));
  await ask('purge', () => owner.delete(`/api/trash/${id}`));
}

async function lookAtAccepted(
  { server, owner, tally, random }: Scene,
  { bytes, what }: Sent,
  id: number,
  ask: Ask,
): Promise<void> {
  const download = await ask('download', () => owner.get(`/api/photos/${id}/download`));
  if (download?.status === 200 && !download.bytes.equals(bytes)) tally.differing.push(what);
  const detail = await ask('detail', () => owner.get(`/api/photos/${id}`));
  const { image, path } = detail?.body.data ?? {};
  if (!image) return;
  const sized = random.pick([
    image.replace('{width}', '320'),
    image.replace('{width}', '1280').replace('.webp', '.jpg'),
  ]);
  await ask('size', () => owner.get(sized));
  await ask('clean copy', () => asVisitor(server).get(path));
  await ask('edit', () => owner.post(`/api/photos/${id}/edit`, random.pick(edits)));
}
