/** Creates random queries as syntax trees. */
import assert from 'node:assert/strict';
import type { Random } from '../../../support/random.ts';
import { isFoundBy, isListed, type Leaf, type ModelPhoto, type SmartAlbum, type Tree } from './model.ts';

interface Vocabulary {
  words: string[];
  cameras: string[];
  albums: number[];
  /** Smart albums that the viewer may see, which a query can name. */
  smart?: SmartAlbum[];
}

type Make = (random: Random, vocabulary: Vocabulary) => Tree;

export function makeTree(random: Random, vocabulary: Vocabulary, depth = 0): Tree {
  const inner = () => makeTree(random, vocabulary, depth + 1);
  if (depth > 2 || random.chance(0.4)) return random.pick(leaves)(random, vocabulary);
  if (random.chance(0.25)) return { not: inner() };
  const of = Array.from({ length: 1 + random.below(3) }, inner);
  return random.chance(0.5) ? { all: of } : { any: of };
}

const leaf = (field: string, text: string, test: Leaf['test']): Tree => ({
  field,
  text,
  test,
});

const compare: Record<string, (value: number, than: number) => boolean> = {
  '': (value, than) => value === than,
  '>=': (value, than) => value >= than,
  '<=': (value, than) => value <= than,
  '>': (value, than) => value > than,
  '<': (value, than) => value < than,
};

const number =
  (field: string, values: number[], of: (photo: ModelPhoto) => number | undefined): Make =>
  ({ pick, chance }) => {
    const [one, other] = [pick(values), pick(values)];
    const isIn = (photo: ModelPhoto, test: (value: number) => boolean) => {
      const value = of(photo);
      return value !== undefined && test(value);
    };
    if (chance(0.3) && one <= other)
      return leaf(field, `${one}..${other}`, (photo) =>
        isIn(photo, (value) => value >= one && value <= other),
      );
    const operator = pick(Object.keys(compare));
    return leaf(field, operator + one, (photo) => isIn(photo, (value) => compare[operator]!(value, one)));
  };

/**
 * Creates a condition on a time. Days, months and years are prefixes of the time as text, so text comparison
 * gives the order of times.
 */
const time =
  (field: string, of: (photo: ModelPhoto) => number): Make =>
  ({ below, pick, chance }) => {
    const some = () =>
      `${pick([2023, 2024])}-${String(1 + below(12)).padStart(2, '0')}-${String(1 + below(28)).padStart(2, '0')}`;
    const [one, other] = [some().slice(0, pick([4, 7, 10])), some().slice(0, pick([4, 7, 10]))];
    const cut = (photo: ModelPhoto, like: string) =>
      new Date(of(photo) * 1000).toISOString().slice(0, like.length);
    if (chance(0.3) && one < other && !other.startsWith(one))
      return leaf(field, `${one}..${other}`, (photo) => cut(photo, one) >= one && cut(photo, other) <= other);
    const operator = pick(Object.keys(compare));
    const holds = (text: string): boolean => {
      if (operator === '') return text === one;
      if (text === one) return operator.endsWith('=');
      return operator.startsWith('>') ? text > one : text < one;
    };
    return leaf(field, operator + one, (photo) => holds(cut(photo, one)));
  };

const flags: Record<string, (photo: ModelPhoto, viewer: number) => boolean> = {
  public: ({ shownTo }) => shownTo === 'public',
  members: ({ shownTo }) => shownTo === 'members',
  private: ({ shownTo }) => shownTo === 'private',
  liked: ({ likedBy }, viewer) => likedBy.includes(viewer),
  favorite: ({ keptBy }, viewer) => keptBy.includes(viewer),
  edited: () => false,
  animated: ({ frames }) => frames > 1,
};

const shapes: Record<string, (photo: ModelPhoto) => boolean> = {
  landscape: ({ width, height }) => width > height,
  portrait: ({ width, height }) => width < height,
  square: ({ width, height }) => width === height,
  panorama: ({ width, height }) => width >= 2 * height,
};

const fold = (text: string) => text.toLowerCase();

const wordLeaf: Make = ({ pick, chance, below }, { words }) => {
  const word = pick(words);
  const text = chance(0.3)
    ? [...word].slice(0, 1 + below(2)).join('')
    : chance(0.3)
      ? word.toUpperCase()
      : word;
  const isIn = (photo: ModelPhoto, _: number, isRule: boolean) => {
    const { title, description, tags, camera, lens, by, album } = photo;
    const names = isRule ? [] : [camera, lens, by, album === undefined ? '' : 'Album'];
    return [title, description, ...tags, ...names].some((one) => fold(one).includes(fold(text)));
  };
  return leaf('', text, isIn);
};

const leaves: Make[] = [
  wordLeaf,
  wordLeaf,
  ({ pick }, { words }) => {
    const tag = pick(words);
    return leaf('tag', tag, ({ tags }) => tags.includes(fold(tag)));
  },
  ({ pick }) => {
    const name = pick(['ann', 'BEA', 'nobody']);
    return leaf('by', name, ({ by }) => by === fold(name));
  },
  ({ pick }, { albums }) => {
    const id = pick([...albums, 999_999]);
    return leaf('album', String(id), ({ album }) => album === id);
  },
  ({ pick }, { albums, smart = [] }) => {
    if (smart.length === 0) return leaf('album', '999998', () => false);
    const { id, owner, rule, visibility } = pick(smart);
    assert.ok(!albums.includes(id));
    return leaf('album', String(id), (photo, viewer) => {
      const isSeen = isListed(visibility, owner, viewer);
      return isSeen && photo.owner === owner && isFoundBy(rule, photo, owner, true);
    });
  },
  ({ pick }, { cameras }) => {
    const name = pick([...cameras.filter((one) => one !== ''), 'can', '_', '%', 'зен']);
    return leaf('camera', name, ({ camera }) => fold(camera).includes(fold(name)));
  },
  ({ pick }, { cameras }) => {
    const name = pick([...cameras.filter((one) => one !== ''), 'can']);
    return leaf('lens', name, ({ lens }) => fold(lens).includes(fold(name)));
  },
  number('focal', [4.25, 35, 50, 85], ({ focal_length }) => focal_length || undefined),
  number('iso', [1, 100, 800, 999], ({ iso }) => iso || undefined),
  number('aperture', [1, 2.8, 11], ({ aperture }) => Number(aperture.slice(2)) || undefined),
  number('size', [1000, 1024, 5_000_000], ({ size }) => size),
  time('taken', ({ taken_time }) => taken_time),
  time('added', ({ create_time }) => create_time),
  ({ pick }) => {
    const flag = pick(Object.keys(flags));
    return leaf('is', flag, flags[flag]!);
  },
  ({ pick }) => {
    const shape = pick(Object.keys(shapes));
    return leaf('shape', shape, shapes[shape]!);
  },
  ({ pick }) => {
    const type = pick(['jpeg', 'jpg', 'png', 'heic', 'avif']);
    return leaf('type', type, ({ extension }) => extension === type.replace('jpeg', 'jpg'));
  },
];
