/** Returns the Content-Security-Policy of a page, which allows only the gallery's own scripts, styles and images. */
import { createHash } from 'node:crypto';
import { oldBrowserScriptHash } from './old-browser.ts';

/**
 * Returns the value of the Content-Security-Policy header. `style` is the text of the page's `<style>`, and
 * `imageOrigin` is the origin that image URLs redirect to.
 */
export function contentSecurityPolicy(style: string, imageOrigin = ''): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'self' ${oldBrowserScriptHash}`,
    `style-src 'self' 'sha256-${hash}'`,
    // Placeholders are data URLs. Previews of chosen files are drawn on canvases and need no permission.
    `img-src 'self' data: ${imageOrigin}`.trim(),
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
