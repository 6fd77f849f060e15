/** The pages without a picture: the form for the password, and why there is nothing to see. */
import type { ApiError } from '../../../platform/errors/catalogue.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import { layout } from './page.ts';

/** Shown first, it tells nothing of what it guards. `refused`: why the last try led nowhere. */
export function passwordPage(refused?: ApiError): Html {
  const body = html`<main class="card">
<h1>This page is protected</h1>
<p>Enter the password that came with the link.</p>
<form method="post">
<label for="password">Password</label>
<input id="password" name="password" type="password" maxlength="128" required autofocus autocomplete="off"${
    refused && html` aria-invalid="true" aria-describedby="refused"`
  }>
${refused && html`<p class="refused" id="refused" role="alert">${reasonOf(refused)}</p>`}
<button class="button">Show it</button>
</form>
</main>`;
  return layout({ title: 'Protected page', body });
}

/** Asked for by a button: programs that look at a link before it is clicked (chats, mail) would use its views up. */
export function openPage(left: number): Html {
  const body = html`<main class="card">
<h1>Somebody shared something with you</h1>
<p>This link can be opened ${left === 1 ? 'once' : `${left} times`} more. After that it shows nothing.</p>
<form method="post">
<input type="hidden" name="password" value="none">
<button class="button">Open it</button>
</form>
</main>`;
  return layout({ title: 'A shared page', body });
}

function reasonOf({ status, retryAfter }: ApiError): string {
  if (status !== 429) return 'That password is not right.';
  return `Too many tries. Please wait ${retryAfter ?? 60} seconds, then try again.`;
}

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
