/**
 * Tests how the photo wall forms its sections: small months share a section, and a large month has a section
 * to itself.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatSectionHeading,
  groupIntoSections,
  splitTotalIntoSections,
  type TimelineMonth,
} from '../../../server/gallery/pages/sections.ts';

const month = (name: string, count: number, ratio = count * 1.5): TimelineMonth => ({
  month: name,
  count,
  ratio,
});

test('small months of one year stand together, a large one by itself', () => {
  const sections = groupIntoSections([
    ...[month('2026-11', 40), month('2026-10', 2), month('2026-08', 3)],
    ...[month('2025-12', 4), month('2025-01', 5), month('2024-01', 60)],
  ]);
  assert.deepEqual(
    sections.map(({ from, count, newest, oldest }) => [from, count, newest, oldest]),
    [
      [0, 40, '2026-11', '2026-11'],
      [40, 5, '2026-10', '2026-08'],
      [45, 9, '2025-12', '2025-01'],
      [54, 60, '2024-01', '2024-01'],
    ],
  );
  assert.equal(sections[1]!.ratio, 7.5);
});

test('a month of very many is cut into parts of one size; only the first has a heading', () => {
  const sections = groupIntoSections([month('2026-11', 1001)]);
  assert.equal(sections.length, 7);
  assert.equal(
    sections.reduce((sum, { count }) => sum + count, 0),
    1001,
  );
  let from = 0;
  for (const section of sections) {
    assert.equal(section.from, from);
    assert.ok(section.count >= 142 && section.count <= 144 && section.total === 1001);
    from += section.count;
  }
  assert.deepEqual(
    sections.map((section) => formatSectionHeading(section, 'en')),
    ['November 2026', '', '', '', '', '', ''],
  );
});

test('a section exists for each photo of a list', () => {
  const months = Array.from({ length: 240 }, (_, index) =>
    month(
      `${2026 - Math.floor(index / 12)}-${String(12 - (index % 12)).padStart(2, '0')}`,
      (index * 7919) % 900 || 1,
    ),
  );
  const sections = groupIntoSections(months);
  const total = months.reduce((sum, { count }) => sum + count, 0);
  let from = 0;
  for (const section of sections) {
    assert.equal(section.from, from);
    assert.ok(section.count > 0 && section.count <= 150);
    from += section.count;
  }
  assert.equal(from, total);
  const ratio = sections.reduce((sum, section) => sum + section.ratio, 0);
  assert.ok(Math.abs(ratio - total * 1.5) < 0.01);
});

test('a list without months has sections without headings, an empty one none', () => {
  const sections = splitTotalIntoSections(301);
  assert.deepEqual(
    sections.map(({ from, count }) => [from, count]),
    [
      [0, 100],
      [100, 100],
      [200, 101],
    ],
  );
  assert.ok(sections.every((section) => formatSectionHeading(section, 'en') === ''));
  assert.deepEqual(splitTotalIntoSections(0), []);
  assert.deepEqual(groupIntoSections([]), []);
});

test('headings name the months, in the language of the page', () => {
  const section = { from: 0, count: 1, total: 1, ratio: 1, isContinued: false };
  const heading = (newest: string, oldest: string, language: string) =>
    formatSectionHeading({ ...section, newest, oldest }, language);
  assert.equal(heading('2026-11', '2026-11', 'en'), 'November 2026');
  assert.match(heading('2026-11', '2026-08', 'en'), /^August.–.November 2026$/);
  assert.equal(heading('2026-11', '2026-11', 'zh-CN'), '2026年11月');
  assert.equal(heading('2026-11', '2026-08', 'zh-CN'), '2026年8月–11月');
});
