/** The check of plain words finds unclear sentences and lets plain ones pass. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectLong } from '../../scripts/titles.ts';
import { findFaults, readComments, readParagraphs, vagueNamesIn } from '../../scripts/words.ts';

const readProse = (blocks: { prose: string }[]) => blocks.map(({ prose }) => prose);

test('finds a sentence that starts without its subject', () => {
  const unclear = [
    'What one turn of the event loop answers is written together.',
    'Of the photo.',
    'Whoever asks waits.',
    'The row is locked. So nobody else changes it.',
    '`name` is the key. Where it is empty, the file has none.',
  ];
  for (const text of unclear) assert.match(findFaults(text).join(), /starts without its subject/, text);
});

test('finds a comment that starts with a pronoun', () => {
  assert.match(findFaults('It was not executed.').join(), /starts with a pronoun/);
  assert.deepEqual(findFaults('The statement was refused. It was not executed.'), []);
});

test('finds a sentence with more than 25 words, in a comment of several lines too', () => {
  const words = 'the server sends one more row to each client that waits '.repeat(3).trim();
  const [comment] = readComments(`/**\n * Here ${words.replace('client', 'client\n *')}.\n */\nconst a = 1;`);
  assert.match(findFaults(comment!.prose).join(), /has 34 words/);
});

test('accepts plain sentences, questions, code and the usual openings', () => {
  const plain = [
    'Returns the rows of one page.',
    'As a visitor, the client sees public photos. Once per hour the server removes old rows.',
    'As of version 1 the field is empty.',
    'Who may see this?',
    '`What` is the name of a type.',
  ];
  for (const text of plain) assert.deepEqual(findFaults(text), [], text);
});

test('reads comments and paragraphs, without code, tables, headings and quotations', () => {
  const code = `const a = 'x'; // Counts rows.\n// Each row\n// has an id.\n/** Deletes a row. */\nconst url = 'https://a.test';`;
  assert.deepEqual(readProse(readComments(code)), ['Counts rows. Each row has an id.', 'Deletes a row.']);
  const page =
    '# What it is\n\nThe first\nparagraph.\n\n- An item.\n- Another.\n\n> Of old.\n\n| Of | x |\n\n```\nOf code\n```\n';
  assert.deepEqual(readProse(readParagraphs(page)), ['The first paragraph.', 'An item.', 'Another.']);
});

test('finds names of families that say little, and lets accessors pass', () => {
  const names = ['mostRows', 'tellOwner', 'isPartOf', 'idOf', 'pageOf'];
  const text = names.map((name) => `const ${name} = 1;`).join('\n');
  assert.deepEqual(vagueNamesIn(text), ['mostRows', 'tellOwner', 'isPartOf', 'pageOf']);
});

test('finds a title of more than 72 characters', () => {
  assert.deepEqual(selectLong(['Add a check', 'x'.repeat(72), 'x'.repeat(73), '']), ['x'.repeat(73)]);
});
