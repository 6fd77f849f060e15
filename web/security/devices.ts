/**
 * Names a browser and its system from the user agent ("Firefox · Linux"), or returns '' if the browser is
 * unknown.
 */
const browserPatterns = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const;
const systemPatterns = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const;

export function describeDevice(userAgent: string): string {
  const findName = (known: typeof browserPatterns | typeof systemPatterns) =>
    known.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return (
    [findName(browserPatterns), findName(systemPatterns)].filter(Boolean).join(' · ') ||
    userAgent.slice(0, 60)
  );
}
