/**
 * On PostgreSQL, the texts that are searched lie beside all that queries ask of their photos, and no longer beside the
 * grams by which they are found: so a word that many texts have is found without a look at other tables, on a fifth of
 * the pages. A photo's row is followed by a trigger, which counting a like or a view, or hiding an album, does not run.
 */
import { runAll, type Up } from './up.ts';

const asked = [
  'album_id',
  'taken_time',
  'create_time',
  'size',
  'iso',
  'focal_length',
  'width',
  'height',
  'camera',
  'lens',
  'aperture',
];

export const up: Up = async ({ name, types }, kysely) => {
  if (name === 'sqlite') return;
  const of = (row: string) => asked.map((column) => `${row}.${column}`).join(', ');
  await runAll(kysely, [
    'LOCK TABLE photos, photo_texts IN SHARE ROW EXCLUSIVE MODE',
    // The distinct characters and neighbouring pairs of a text, and some twice: an index takes each once.
    `CREATE FUNCTION lightwell_grams(given text) RETURNS text[]
      LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
      DECLARE characters text[] := string_to_array(given, NULL);
      BEGIN
        RETURN characters || ARRAY(SELECT one || next FROM unnest(characters, characters[2:]) AS pairs (one, next)
          WHERE next IS NOT NULL);
      END $$`,
    'ALTER TABLE photo_texts RENAME TO photo_texts_before',
    `CREATE TABLE photo_texts (
      photo_id bigint NOT NULL, user_id bigint NOT NULL, visibility integer NOT NULL,
      album_id bigint, taken_time bigint NOT NULL, create_time bigint NOT NULL, size bigint NOT NULL, iso bigint NOT NULL,
      focal_length double precision NOT NULL, width integer NOT NULL, height integer NOT NULL,
      camera text NOT NULL, lens text NOT NULL, aperture text NOT NULL, text ${types.sortedText} NOT NULL)`,
    `INSERT INTO photo_texts (photo_id, user_id, visibility, ${asked.join(', ')}, text)
      SELECT photo_id, texts.user_id, texts.visibility, ${of('photos')}, text
      FROM photo_texts_before AS texts JOIN photos ON photos.id = photo_id ORDER BY photo_id`,
    'DROP TABLE photo_texts_before',
    'ALTER TABLE photo_texts ADD CONSTRAINT photo_texts_pkey PRIMARY KEY (photo_id)',
    'ALTER TABLE photo_texts ADD FOREIGN KEY (photo_id) REFERENCES photos (id) ON DELETE CASCADE',
    'CREATE INDEX photo_texts_grams ON photo_texts USING gin (lightwell_grams(text))',
    'ANALYZE photo_texts',
    `CREATE FUNCTION photo_texts_follow() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE photo_texts SET (${asked.join(', ')}) = (${of('NEW')}) WHERE photo_id = NEW.id;
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER photos_texts_follow AFTER UPDATE OF ${asked.join(', ')} ON photos
      FOR EACH ROW WHEN ((${of('OLD')}) IS DISTINCT FROM (${of('NEW')})) EXECUTE FUNCTION photo_texts_follow()`,
  ]);
};
