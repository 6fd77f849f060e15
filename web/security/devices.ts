/**
 * Names a browser and its system from the user agent ("Firefox · Linux"), or returns '' if the browser is
 * unknown.
 */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const;
const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const;

export function describeDevice(userAgent: string): string {
  const findName = (known: typeof browsers | typeof systems) =>
    known.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return [findName(browsers), findName(systems)].filter(Boolean).join(' · ') || userAgent.slice(0, 60);
}
