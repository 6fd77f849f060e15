/** Sends an error as a page in the user's language, for routes that people open in a browser. */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addFinalPeriod } from '../errors/catalogue.ts';
import { logRequestError } from './error-handler.ts';
import { Html, html } from './html.ts';
import { type Language, languageOf } from './language.ts';
import { joinPageStyles, renderPage } from './page.ts';
import { chosenTheme } from './theme.ts';

const errorPageStyle = joinPageStyles();
const styleHash = createHash('sha256').update(errorPageStyle).digest('base64');
const errorPagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`;

/** Texts of the error page. `reason` is the error's message in English. */
const textsByLanguage: Record<Language, { title: string; text(reason: string): string }> = {
  en: { title: 'This page can’t be shown', text: addFinalPeriod },
  'zh-CN': { title: '无法显示此页面', text: () => '请稍后重试。' },
};

export function handlePageError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, message, retryAfter } = logRequestError(error, request);
  const language = languageOf(request);
  const { title, text } = textsByLanguage[language];
  const { text: shown } = renderPage({
    language,
    theme: chosenTheme(request),
    title,
    head: html`<style>${new Html(errorPageStyle)}</style>`,
    body: html`<main><h1>${title}</h1><p>${text(message)}</p></main>`,
  });
  if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter));
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .headers({
      'Content-Security-Policy': errorPagePolicy,
      'Content-Language': language,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    .send(shown);
}
