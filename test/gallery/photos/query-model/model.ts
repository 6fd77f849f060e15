/** A simple model of queries: the photos that a query finds, and the text of the query. */
import type { LevelName } from '../../../../server/platform/db/states.ts';
import type { Random } from '../../../support/random.ts';

export interface Album {
  id: number;
  owner: number;
  visibility: LevelName;
}

export interface ModelPhoto {
  id: number;
  owner: number;
  by: string;
  title: string;
  description: string;
  tags: string[];
  album: number | undefined;
  /** The narrower of the photo's own level and the level of its album. */
  shownTo: LevelName;
  camera: string;
  lens: string;
  focal_length: number;
  iso: number;
  aperture: string;
  size: number;
  width: number;
  height: number;
  taken_time: number;
  create_time: number;
  frames: number;
  extension: string;
  likedBy: number[];
  keptBy: number[];
}

export interface SmartAlbum {
  id: number;
  owner: number;
  visibility: LevelName;
  rule: Tree;
}

/** A condition on one field: `text` is the value in the query, `test` is its meaning. */
export interface Leaf {
  field: string;
  text: string;
  /** Words of a rule look at fewer fields than words of a query. */
  test(photo: ModelPhoto, viewer: number, isRule: boolean): boolean;
}

export type Tree = { all: Tree[] } | { any: Tree[] } | { not: Tree } | Leaf;

/** Returns whether the lists of a viewer hold what has this level and owner. Viewer 0 is anonymous. */
export function isListed(level: LevelName, owner: number, viewer: number): boolean {
  return level === 'public' || viewer === owner || (level === 'members' && viewer !== 0);
}

export function isFoundBy(tree: Tree, photo: ModelPhoto, viewer: number, isRule = false): boolean {
  if ('all' in tree) return tree.all.every((one) => isFoundBy(one, photo, viewer, isRule));
  if ('any' in tree) return tree.any.some((one) => isFoundBy(one, photo, viewer, isRule));
  if ('not' in tree) return !isFoundBy(tree.not, photo, viewer, isRule);
  return tree.test(photo, viewer, isRule);
}

/** Counts how often the query names one of these albums. */
export function countNamed(tree: Tree, ids: number[]): number {
  if ('all' in tree) return tree.all.reduce((sum, one) => sum + countNamed(one, ids), 0);
  if ('any' in tree) return tree.any.reduce((sum, one) => sum + countNamed(one, ids), 0);
  if ('not' in tree) return countNamed(tree.not, ids);
  return tree.field === 'album' && ids.includes(Number(tree.text)) ? 1 : 0;
}

export function formatTree(tree: Tree, random: Random): string {
  if ('all' in tree) return bracketed(tree.all.map((one) => formatTree(one, random)).join(' '));
  if ('any' in tree) return bracketed(tree.any.map((one) => formatTree(one, random)).join(' OR '));
  if ('not' in tree) return `-${formatTree(tree.not, random)}`;
  const { field, text } = tree;
  const isPlain =
    /^[^\s"()-][^\s"()]*$/.test(text) && text !== 'OR' && (field !== '' || !/^\p{L}+:/u.test(text));
  const value = isPlain && random.chance(0.7) ? text : `"${text}"`;
  return field === '' ? value : `${random.chance(0.1) ? field.toUpperCase() : field}:${value}`;
}

function bracketed(text: string): string {
  return `(${text})`;
}
