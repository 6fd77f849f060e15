/** The pages without a picture: the form for the password, and why there is nothing to see. */
import type { ApiError } from '../../../platform/errors/catalogue.ts';
import { html } from '../../../platform/http/html.ts';
import { type Frame, layout, type SharePage } from './page.ts';
import { words } from './words.ts';

/** A password has at most 128 characters. Browsers count UTF-16 units, and silently cut a longer pasted text. */
const maxPasswordUnits = 2 * 128;

/** Shown first, it tells nothing of what it guards. `refused`: why the last try led nowhere. */
export function passwordPage(frame: Frame, refused?: ApiError): SharePage {
  const w = words[frame.language];
  const body = html`<main class="card">
<h1>${w.guarded}</h1>
<p>${w.guardedText}</p>
<form method="post">
<label for="password">${w.password}</label>
<input id="password" name="password" type="password" maxlength="${maxPasswordUnits}" required autofocus autocomplete="off"${
    refused && html` aria-invalid="true" aria-describedby="refused"`
  }>
${refused && html`<p class="refused" id="refused" role="alert">${reasonOf(frame, refused)}</p>`}
<button class="button">${w.show}</button>
</form>
</main>`;
  return layout(frame, { title: w.guarded, body });
}

/** Asked for by a button: programs that look at a link before it is clicked (chats, mail) would use its views up. */
export function openPage(frame: Frame, left: number): SharePage {
  const w = words[frame.language];
  const body = html`<main class="card">
<h1>${w.shared}</h1>
<p>${w.viewsLeft(left)}</p>
<form method="post">
<input type="hidden" name="password" value="none">
<button class="button">${w.open}</button>
</form>
</main>`;
  return layout(frame, { title: w.shared, body });
}

const usualWait = 60;

function reasonOf({ language }: Frame, { status, retryAfter }: ApiError): string {
  const { wrongPassword, tooManyTries } = words[language];
  return status === 429 ? tooManyTries(retryAfter ?? usualWait) : wrongPassword;
}

export function messagePage(frame: Frame, error: ApiError): SharePage {
  const { nothing, nothingText, failed, failedText } = words[frame.language];
  if (error.status === 404) return message(frame, nothing, nothingText);
  return message(frame, failed, failedText(error.message));
}

function message(frame: Frame, title: string, text: string): SharePage {
  const body = html`<main class="card">
<h1>${title}</h1>
<p>${text}</p>
</main>`;
  return layout(frame, { title, body });
}
