/**
 * Widens the words of a search query from title, description and tags to the camera, lens, owner, albums, file name and
 * date. File names are found among the viewer's own photos only, and albums only if the viewer can see the album.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { boundedReadOptions } from '../../../platform/db/dialect.ts';
import { containsFolded } from '../../../platform/db/fold.ts';
import { readDateWord } from './date-words.ts';
import type { SearchCondition, WordsCondition } from './fields.ts';
import { selectAlbums, selectOwners } from './names-sql.ts';
import type { SearchQuery } from './parse.ts';

/** Names beside the texts of photos that contain a word. 1 means that there are some. */
interface NamesWithWord {
  word: number;
  equipment: number;
  owners: number;
  albums: number;
  files: number;
}

/** Returns the query with each word widened to the names that contain the word. Most words are in no name. */
export async function widenWords(
  { db }: Pick<Deps, 'db'>,
  viewerId: number,
  query: SearchQuery,
): Promise<SearchQuery> {
  const words = [...new Set(collectWords(query))];
  if (words.length === 0) return query;
  const asked = words.map((text, place) => askForNames({ db }, viewerId, text, place));
  const { rows } = await sql<NamesWithWord>`${sql.join(asked, sql` UNION ALL `)}`.execute(
    db.slow(boundedReadOptions),
  );
  const namesByWord = new Map(rows.map((row) => [words[row.word]!, row]));
  return replaceWords(query, (condition) => widenWord(condition, namesByWord.get(condition.text)!));
}

function collectWords(query: SearchQuery): string[] {
  if (query.kind === 'all' || query.kind === 'any') return query.of.flatMap(collectWords);
  if (query.kind === 'not') return collectWords(query.of);
  return query.kind === 'words' ? [query.text] : [];
}

function askForNames({ db }: Pick<Deps, 'db'>, viewerId: number, text: string, place: number) {
  const exists = (rows: RawBuilder<unknown>) => sql`CASE WHEN EXISTS (${rows}) THEN 1 ELSE 0 END`;
  const equipment = sql`SELECT 1 FROM equipment_names
    WHERE ${db.deadlineCheck('equipment_names.rowid')} AND ${containsFolded('equipment_names.name_key', text)}`;
  const files =
    viewerId === 0 ? sql`0` : exists(sql`SELECT 1 FROM ${db.search.matchesOwn(text, viewerId)} AS own`);
  return sql`SELECT ${sql.lit(place)} AS word, ${exists(equipment)} AS equipment,
    ${exists(selectOwners(db, text))} AS owners, ${exists(selectAlbums(db, text, viewerId))} AS albums, ${files} AS files`;
}

function widenWord(condition: WordsCondition, names: NamesWithWord): SearchQuery {
  const { text } = condition;
  const date = readDateWord(text);
  const wider: SearchCondition[] = [
    ...(names.equipment
      ? ([
          { kind: 'camera', text },
          { kind: 'lens', text },
        ] as const)
      : []),
    ...(names.owners ? ([{ kind: 'owner', text }] as const) : []),
    ...(names.albums ? ([{ kind: 'albumName', text }] as const) : []),
    ...(names.files ? ([{ kind: 'ownText', text }] as const) : []),
    ...(date ? [date] : []),
  ];
  return wider.length === 0 ? condition : { kind: 'any', of: [condition, ...wider] };
}

function replaceWords(query: SearchQuery, widen: (words: WordsCondition) => SearchQuery): SearchQuery {
  switch (query.kind) {
    case 'all':
    case 'any':
      return { kind: query.kind, of: query.of.map((one) => replaceWords(one, widen)) };
    case 'not':
      return { kind: 'not', of: replaceWords(query.of, widen) };
    default:
      return query.kind === 'words' ? widen(query) : query;
  }
}
