/** Whole pictures of every accepted format, to be damaged: made here, and those of the corpus where it is here. */
import { readFileSync, statSync } from 'node:fs';
import sharp from 'sharp';
import { corpus, withoutCorpus } from '../../test/platform/imaging/corpus.ts';
import { animation, jpegWithExif, landmarks } from '../../test/support/pictures.ts';

export interface Seed {
  name: string;
  bytes: Buffer;
}

/** Larger ones would be sent less often. */
const maxBytes = 200_000;

export async function readSeeds(): Promise<{ made: Seed[]; found: Seed[] }> {
  return { made: await makeSeeds(), found: withoutCorpus ? [] : readCorpus() };
}

/** HEIC is not among them: no npm package writes it. The corpus has some. */
async function makeSeeds(): Promise<Seed[]> {
  const picture = await landmarks(96, 64);
  const plain = () => sharp(picture);
  const described = () =>
    plain()
      .withMetadata()
      .withXmp(xmp)
      .withExif({ IFD0: { Make: 'Canon', Copyright: 'x'.repeat(300) } });
  const made: [string, Promise<Buffer>][] = [
    ['jpeg', described().withIccProfile('p3').jpeg().toBuffer()],
    [
      'jpeg, progressive, turned',
      plain().withMetadata({ orientation: 6 }).jpeg({ progressive: true }).toBuffer(),
    ],
    ['jpeg, grey', plain().greyscale().jpeg().toBuffer()],
    ['jpeg, cmyk', plain().toColourspace('cmyk').jpeg().toBuffer()],
    ['jpeg with exif and a place', jpegWithExif()],
    ['png', described().withIccProfile('p3').png().toBuffer()],
    ['png, interlaced, 16 bit', plain().toColourspace('rgb16').png({ progressive: true }).toBuffer()],
    ['png, palette', plain().png({ palette: true }).toBuffer()],
    ['gif', plain().gif().toBuffer()],
    ['gif, animated', animation(4)],
    ['webp', described().withIccProfile('p3').webp().toBuffer()],
    ['webp, lossless, alpha', plain().ensureAlpha(0.5).webp({ lossless: true }).toBuffer()],
    ['webp, animated', animation(3).then((bytes) => sharp(bytes, { animated: true }).webp().toBuffer())],
    ['avif', described().avif({ effort: 0 }).toBuffer()],
    ['tiff, lzw', described().tiff({ compression: 'lzw' }).toBuffer()],
    [
      'tiff, deflate, tiled',
      plain().tiff({ compression: 'deflate', tile: true, tileWidth: 32, tileHeight: 32 }).toBuffer(),
    ],
    ['tiff, jpeg, pyramid', plain().tiff({ compression: 'jpeg', pyramid: true, tile: true }).toBuffer()],
  ];
  return Promise.all(made.map(async ([name, bytes]) => ({ name, bytes: await bytes })));
}

const xmp = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
dc:creator="a person"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

function readCorpus(): Seed[] {
  return corpus
    .filter(({ file }) => statSync(file).size <= maxBytes)
    .map(({ path, file }) => ({ name: path.split('/').at(-1)!, bytes: readFileSync(file) }));
}
