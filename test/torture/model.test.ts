/** A short run of the part `model`; and that it finds a gallery which breaks a rule, and says so in few steps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { makeHome } from '../../torture/homes.ts';
import { galleriesOn, type NewGallery } from '../../torture/model/galleries.ts';
import { explore, model } from '../../torture/model/part.ts';
import { seed } from '../support/seed.ts';

const milliseconds = 400;
const name = process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite';

test('a gallery shows everybody what the model says', async (context) => {
  const home = await makeHome(name);
  context.after(home.end);
  context.diagnostic(`seed ${seed}`);
  const tell = (line: string) => context.diagnostic(line);
  const figures = await model.run({ home, milliseconds, seed, tell });
  for (const figure of figures) {
    context.diagnostic(`${figure.name}: ${figure.value}`);
    assert.ok(figure.isHeld, `${figure.name}: ${figure.value}`);
  }
});

/** A like counts twice: it is as if a line of the server were wrong. */
async function withFault(made: Promise<NewGallery>): Promise<NewGallery> {
  const one = await made;
  await sql`CREATE TRIGGER fault AFTER INSERT ON likes
    BEGIN UPDATE photos SET likes = likes + 1 WHERE id = NEW.photo_id; END`.execute(
    one.gallery.deps.db.kysely,
  );
  return one;
}

const onSqlite = name === 'sqlite' ? false : 'the fault is planted in SQLite';

test('a broken rule is found, and shrunk to the steps that show it', { skip: onSqlite }, async (context) => {
  const home = await makeHome(name);
  context.after(home.end);
  const lines: string[] = [];
  const make = galleriesOn(home);
  const { faults } = await explore({ milliseconds: 60_000, seed: 4, tell: (line) => lines.push(line) }, () =>
    withFault(make()),
  );
  assert.equal(faults.length, 1);
  context.diagnostic(lines.join('\n'));
  const steps = lines.filter((line) => /^ {2}\w/.test(line));
  assert.equal(steps.length, 2, lines.join('\n'));
  assert.match(steps[0]!, /^ {2}\w+ uploads photo \d+/);
  assert.match(steps[1]!, /^ {2}\w+ (toggles|sets) a like of photo \d+/);
});
