/** Pages as text: `html` escapes every value, so that forgetting to is not possible. */

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes. `undefined` and `false` are left out, lists are joined. */
export type Content = Html | string | number | false | undefined | Content[];

/** In text and in quoted attributes. Not for scripts, styles or addresses that a user chose. */
export function html(parts: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(parts.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

function render(value: Content): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  return value === undefined || value === false ? '' : escapeText(String(value));
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
