/** HTML as text. The `html` template escapes every value, so that no code can forget to. */

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Values that a template accepts. `undefined` and `false` are omitted, and lists are joined. */
export type HtmlContent = Html | string | number | false | undefined | HtmlContent[];

/** Builds HTML for text and quoted attributes. Not safe for scripts, styles, or URLs that a user chose. */
export function html(parts: TemplateStringsArray, ...values: HtmlContent[]): Html {
  return new Html(parts.reduce((text, part, index) => text + renderContent(values[index - 1]) + part));
}

function renderContent(value: HtmlContent): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(renderContent).join('');
  return value === undefined || value === false ? '' : escapeText(String(value));
}

const entityByCharacter: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entityByCharacter[character]!);
}
