/** Pages without a photo: the password form, the button that uses a view, and error messages. */
import type { ApiError } from '../../../platform/errors/catalogue.ts';
import { html } from '../../../platform/http/html.ts';
import { sharePageMessages } from './messages.ts';
import { renderSharePage, type SharePage, type SharePageFrame } from './page.ts';

/**
 * Maximum length in UTF-16 units, which browsers count. A password has at most 128 characters, and browsers silently
 * cut longer pasted text.
 */
const maxPasswordUnits = 2 * 128;

/**
 * Renders the password form, which reveals nothing about the shared photo. `refused` is the error of the last attempt.
 */
export function renderSharePasswordPage(frame: SharePageFrame, refused?: ApiError): SharePage {
  const w = sharePageMessages[frame.language];
  const body = html`<main class="card">
<h1>${w.protected}</h1>
<p>${w.protectedText}</p>
<form method="post">
<label for="password">${w.password}</label>
<input id="password" name="password" type="password" maxlength="${maxPasswordUnits}" required autofocus autocomplete="off"${
    refused && html` aria-invalid="true" aria-describedby="refused"`
  }>
${refused && html`<p class="refused" id="refused" role="alert">${refusalText(frame, refused)}</p>`}
<button class="button">${w.view}</button>
</form>
</main>`;
  return renderSharePage(frame, { title: w.protected, body });
}

/**
 * Renders the page with a button that uses a view. Without the button, programs that preview links in chats and mail
 * would use up the views.
 */
export function renderConfirmViewPage(frame: SharePageFrame, left: number): SharePage {
  const w = sharePageMessages[frame.language];
  const body = html`<main class="card">
<h1>${w.shared}</h1>
<p>${w.viewsLeft(left)}</p>
<form method="post">
<input type="hidden" name="password" value="none">
<button class="button">${w.open}</button>
</form>
</main>`;
  return renderSharePage(frame, { title: w.shared, body });
}

const defaultWaitSeconds = 60;

function refusalText({ language }: SharePageFrame, { status, retryAfter }: ApiError): string {
  const { wrongPassword, tooManyTries } = sharePageMessages[language];
  return status === 429 ? tooManyTries(retryAfter ?? defaultWaitSeconds) : wrongPassword;
}

export function renderShareMessagePage(frame: SharePageFrame, error: ApiError): SharePage {
  const { notFound, notFoundText, failed, failedText } = sharePageMessages[frame.language];
  if (error.status === 404) return renderMessagePage(frame, notFound, notFoundText);
  return renderMessagePage(frame, failed, failedText(error.message));
}

function renderMessagePage(frame: SharePageFrame, title: string, text: string): SharePage {
  const body = html`<main class="card">
<h1>${title}</h1>
<p>${text}</p>
</main>`;
  return renderSharePage(frame, { title, body });
}
