/**
 * The torture part `model` detects a gallery that breaks a rule, and reports the shortest sequence of steps
 * that shows the fault.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { makeTestGallery } from '../../torture/gallery-setups.ts';
import { galleriesOn, type NewGallery } from '../../torture/model/galleries.ts';
import { explore } from '../../torture/model/part.ts';

/** Creates a gallery with a planted fault: a trigger counts each like twice. */
async function withFault(made: Promise<NewGallery>): Promise<NewGallery> {
  const one = await made;
  await sql`CREATE TRIGGER fault AFTER INSERT ON likes
    BEGIN UPDATE photo_counts SET likes = likes + 1 WHERE photo_id = NEW.photo_id; END`.execute(
    one.gallery.deps.db.kysely,
  );
  return one;
}

test('a broken rule is found, and shrunk to the steps that show it', async (context) => {
  const home = await makeTestGallery('sqlite');
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
