/** What a page of the gallery may load: our scripts, our styles and the style that stands in it, and our images. */
import { createHash } from 'node:crypto';

/** `style`: the text of the page's own `<style>`; `imageOrigin`: where images are redirected to. */
export function policyOf(style: string, imageOrigin = ''): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${hash}'`,
    // Placeholders are data:. Pictures that are about to be uploaded are drawn on canvases.
    `img-src 'self' data: ${imageOrigin}`.trim(),
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
