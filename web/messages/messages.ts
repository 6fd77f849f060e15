/**
 * Interface texts in the reader's language. `common` is loaded before the first page. Other areas, one per
 * folder of `web/` with many texts, are loaded with the pages that show them (`loadWithTexts`).
 */
import type admin from './en/admin.json';
import type albums from './en/albums.json';
import type apiKeys from './en/api-keys.json';
import type arrange from './en/arrange.json';
import type auth from './en/auth.json';
import type comments from './en/comments.json';
import type common from './en/common.json';
import type editor from './en/editor.json';
import type explore from './en/explore.json';
import type factor from './en/factor.json';
import type firstRun from './en/first-run.json';
import type imports from './en/import.json';
import type keys from './en/keys.json';
import type notifications from './en/notifications.json';
import type reports from './en/reports.json';
import type search from './en/search.json';
import type security from './en/security.json';
import type selection from './en/selection.json';
import type session from './en/session.json';
import type settings from './en/settings.json';
import type shares from './en/shares.json';
import type upload from './en/upload.json';
import type users from './en/users.json';
import type viewer from './en/viewer.json';
import type visibility from './en/visibility.json';
import type webhooks from './en/webhooks.json';

interface MessageAreas {
  admin: typeof admin;
  albums: typeof albums;
  'api-keys': typeof apiKeys;
  arrange: typeof arrange;
  auth: typeof auth;
  comments: typeof comments;
  common: typeof common;
  editor: typeof editor;
  explore: typeof explore;
  factor: typeof factor;
  keys: typeof keys;
  notifications: typeof notifications;
  reports: typeof reports;
  'first-run': typeof firstRun;
  import: typeof imports;
  search: typeof search;
  security: typeof security;
  session: typeof session;
  settings: typeof settings;
  selection: typeof selection;
  shares: typeof shares;
  upload: typeof upload;
  users: typeof users;
  viewer: typeof viewer;
  visibility: typeof visibility;
  webhooks: typeof webhooks;
}
type MessageArea = keyof MessageAreas;
type KeysOf<T> = T extends unknown ? keyof T : never;
export type MessageKey = KeysOf<MessageAreas[MessageArea]>;
type Text = string | { one?: string; other: string };
type Texts = Record<string, Text>;
type MessageValues = Record<string, string | number>;

const textFiles = import.meta.glob<Texts>('./*/*.json', { import: 'default' });

/** Available languages with their native names. */
export const availableLanguages: Record<string, string> = { en: 'English', 'zh-CN': '简体中文' };

const loadedTexts: Texts = {};
let pluralRules: Intl.PluralRules | undefined;

/** Returns the language of the HTML document. */
export const getLanguage = (): string => document.documentElement.lang || 'en';

export async function loadTexts(...areas: MessageArea[]): Promise<void> {
  const known = getLanguage() in availableLanguages ? getLanguage() : 'en';
  const loaded = await Promise.all(areas.map((area) => textFiles[`./${known}/${area}.json`]!()));
  Object.assign(loadedTexts, ...loaded);
}

/** Loads a page or component together with its texts. */
export const loadWithTexts =
  <T>(load: () => Promise<T>, ...areas: MessageArea[]): (() => Promise<T>) =>
  async () => {
    const [part] = await Promise.all([load(), loadTexts(...areas)]);
    return part;
  };

/** Returns a text. `{name}` is replaced by a value; `count` selects the plural form. */
export function t(key: MessageKey, values: MessageValues = {}): string {
  const text = loadedTexts[key];
  // The tests of the pages fail on console errors.
  if (text === undefined) console.error(`The text "${key}" is not loaded here.`);
  const form = typeof text === 'object' ? choosePlural(text, Number(values.count)) : (text ?? key);
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? value.toLocaleString(getLanguage()) : (value ?? whole);
  });
}

function choosePlural(text: Exclude<Text, string>, count: number): string {
  pluralRules ??= new Intl.PluralRules(getLanguage());
  return (pluralRules.select(count) === 'one' && text.one) || text.other;
}

/** Stores the language in a cookie, which the server reads for the next document. */
export function chooseLanguage(chosen: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser supports the Cookie Store API
  document.cookie = `lightwell_language=${chosen}; Path=/; Max-Age=31536000; SameSite=Lax`;
  location.reload();
}
