/** Renders a mail as text and as HTML: a few lines and at most one link. */
import { type Html, html } from '../../platform/http/html.ts';
import type { Language } from '../../platform/http/language.ts';

export interface RenderedMail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface MailContent {
  to: string;
  language: Language;
  subject: string;
  lines: string[];
  link?: { label: string; url: string } | undefined;
  /** Small print below the text of the mail. */
  notes: string[];
}

export function renderMail({ to, language, subject, lines, link, notes }: MailContent): RenderedMail {
  const text = [...lines, ...(link ? [link.url] : []), ...notes].join('\n\n');
  return {
    to,
    subject,
    text: `${text}\n`,
    html: renderMailHtml({ language, subject, lines, link, notes }).text,
  };
}

/** Renders the HTML part of a mail. The page has no images or scripts, so mail programs show it unchanged. */
function renderMailHtml({ language, subject, lines, link, notes }: Omit<MailContent, 'to'>): Html {
  const [first, ...others] = lines;
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;padding:32px 16px;background:#f5f5f4;color:#1c1917;font:16px/1.6 system-ui,-apple-system,'Segoe UI','PingFang SC','Microsoft YaHei',sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
<p style="margin:0 0 16px;font-size:18px;font-weight:600">${first}</p>
${others.map((line) => html`<p style="margin:0 0 16px">${line}</p>\n`)}
${
  link &&
  html`<p style="margin:24px 0"><a href="${link.url}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1c1917;color:#ffffff;text-decoration:none;font-weight:600">${link.label}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#57534e;word-break:break-all">${link.url}</p>\n`
}
${notes.map((note) => html`<p style="margin:0 0 8px;font-size:13px;color:#57534e">${note}</p>\n`)}
</div>
</body>
</html>
`;
}
