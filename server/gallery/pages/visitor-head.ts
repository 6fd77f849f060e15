/**
 * Renders what visitors see above the photos of the home page, like `web/photos/visitor-head.tsx`, so that no element
 * moves when React takes over.
 */
import { type Html, html } from '../../platform/http/html.ts';
import type { Language } from '../../platform/http/language.ts';
import { pageMessages } from './messages.ts';
import type { PageData } from './read.ts';

export function renderVisitorHead(site: PageData['site'], language: Language): Html {
  const { photos, visitorWelcome, createAccount } = pageMessages[language];
  const canRegister = site.registration === 'open' && site.sign_in.password;
  return html`<h1 class="unseen">${photos}</h1><header class="visitor-head"><p dir="auto">${site.welcome || visitorWelcome(site.name)}</p>${
    canRegister && html`<a class="button" href="/register">${createAccount}</a>`
  }</header>`;
}
