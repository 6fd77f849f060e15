/** The page that says why there is nothing to see. */
import type { ApiError } from '../../../platform/errors/catalogue.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import { layout } from './page.ts';

export function messagePage(error: ApiError): Html {
  if (error.status === 404) {
    return message(
      'Nothing to see here',
      'This link does not exist, has expired, or was revoked by the person who shared it. Ask them for a new one.',
    );
  }
  return message('That did not work', `${error.message}.`);
}

function message(title: string, text: string): Html {
  const body = html`<main class="card">
<h1>${title}</h1>
<p>${text}</p>
</main>`;
  return layout({ title, body });
}
