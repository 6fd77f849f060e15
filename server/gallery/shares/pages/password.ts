/** The form that a share with a password shows first. It tells nothing of what it guards. */
import type { ApiError } from '../../../platform/errors/catalogue.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import { layout } from './page.ts';

/** `refused`: why the last try led nowhere. */
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

function reasonOf({ status, retryAfter }: ApiError): string {
  if (status !== 429) return 'That password is not right.';
  return `Too many tries. Please wait ${retryAfter ?? 60} seconds, then try again.`;
}
