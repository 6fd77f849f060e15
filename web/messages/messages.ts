/** The texts of the pages in their reader's language. Each language is a file of its own, loaded before anything. */
import type en from './en.json';

type Text = string | { one?: string; other: string };
export type MessageKey = keyof typeof en;
type Values = Record<string, string | number>;

const loaders: Record<string, () => Promise<{ default: Record<string, Text> }>> = {
  en: () => import('./en.json'),
  'zh-CN': () => import('./zh-CN.json'),
};

/** By their own names. */
export const languages: Record<string, string> = { en: 'English', 'zh-CN': '简体中文' };

let texts: Record<string, Text> = {};
let plurals = new Intl.PluralRules('en');

/** As the document says. */
export const language = (): string => document.documentElement.lang || 'en';

export async function loadMessages(): Promise<void> {
  const load = loaders[language()] ?? loaders.en!;
  texts = (await load()).default;
  plurals = new Intl.PluralRules(language());
}

/** `{name}` stands for a value; where there are forms, `count` chooses. */
export function t(key: MessageKey, values: Values = {}): string {
  const text = texts[key] ?? key;
  const form = typeof text === 'string' ? text : formOf(text, Number(values.count));
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? value.toLocaleString(language()) : (value ?? whole);
  });
}

function formOf(text: Exclude<Text, string>, count: number): string {
  return (plurals.select(count) === 'one' && text.one) || text.other;
}

/** The server writes the next document in it. */
export function chooseLanguage(chosen: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser yet
  document.cookie = `lightwell_language=${chosen}; Path=/; Max-Age=31536000; SameSite=Lax`;
  location.reload();
}
