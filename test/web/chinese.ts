/** Returns the Chinese texts of the pages for browser tests, and finds English texts in a page. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

type Texts = Record<string, string | { one?: string; other: string }>;

const folder = join(import.meta.dirname, '../../web/messages');
const read = (language: string): Texts =>
  Object.assign(
    {},
    ...globSync(`${language}/*.json`, { cwd: folder }).map((file) =>
      JSON.parse(readFileSync(join(folder, file), 'utf8')),
    ),
  );
const [english, chinese] = [read('en'), read('zh-CN')];

/** Returns a text of the pages with its values filled in. */
export type Translate = (key: string, values?: Record<string, string | number>) => string;

const createTranslate =
  (texts: Texts): Translate =>
  (key, values = {}) => {
    const text = texts[key];
    if (text === undefined) throw new Error(`no text is called ${key}`);
    const form = typeof text === 'object' ? text.other : text;
    return form.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  };
export const en = createTranslate(english);
export const zh = createTranslate(chinese);

/** Patterns of English texts, in which each value may be any text. */
const patterns = Object.entries(english).flatMap(([key, text]) =>
  (typeof text === 'string' ? [text] : [text.one, text.other])
    .filter((form): form is string => form !== undefined && form !== chinese[key])
    // Leaves out texts of values and symbols only, which look the same in every language.
    .filter((form) => /[a-z]{2}/i.test(form.replace(/\{\w+\}/g, '')))
    .map(
      (form) =>
        new RegExp(
          `^${form
            .split(/\{\w+\}/)
            .map(RegExp.escape)
            .join('.+')}$`,
        ),
    ),
);
/** Matches several English words with spaces between, which mark an untranslated sentence. */
const sentence = /\b[a-z]{2,} (?:[a-z]{2,} )?[a-z]{2,}\b/;
/** Matches search conditions, which are the same in every language. */
const condition = /[a-z]+:\S+/g;

/** Returns the English texts that a page shows or gives to screen readers, each once. */
export async function findEnglish(page: Page): Promise<string[]> {
  const said = await page.evaluate(() => {
    const texts = new Set<string>([document.title.replace(/ · [^·]+$/, '')]);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Text) {
        const isSaid = !node.parentElement?.closest('script, style, noscript, [lang=en]');
        if (isSaid) texts.add(node.data.trim());
      } else if (node instanceof Element) {
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext']) {
          texts.add(node.getAttribute(name)?.trim() ?? '');
        }
      }
    }
    return [...texts].filter((text) => text !== '');
  });
  return said.filter(
    (text) => sentence.test(text.replace(condition, '')) || patterns.some((pattern) => pattern.test(text)),
  );
}
