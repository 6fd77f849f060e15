/** Derives the columns that searches and lists of users read from a user's name. */
import { foldSearchText, naturalSortKey } from '../../platform/db/fold.ts';

/** Lists sort by the nickname, as they show it, or by the username if there is no nickname. */
export function createNameColumns(username: string, nickname: string) {
  return {
    nickname,
    nickname_key: foldSearchText(nickname),
    name_sort_key: naturalSortKey(nickname || username),
  };
}
