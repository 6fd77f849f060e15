/** What lists are sorted by. */

export type SortColumn =
  | 'create_time'
  | 'update_time'
  | 'taken_time'
  | 'views'
  | 'likes'
  | 'favorites'
  | 'downloads'
  | 'size'
  | 'title_key'
  | 'album_position';

/** Whether the index with what queries ask has it, too: then sorting takes no look at the table. */
export function isAsked(column: SortColumn): boolean {
  return column === 'create_time' || column === 'taken_time' || column === 'size';
}
