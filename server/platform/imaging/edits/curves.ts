/**
 * Curves of the filters `shadows` and `highlights`: the new value of a color from its value, both from 0 to 1. A curve
 * keeps black and white, and never makes the brighter of two parts the darker one. The editor of the web gallery uses
 * the curves too. `amount` is a percentage from -100 to 100.
 */
export const toneCurves = {
  highlights: (level: number, amount: number) => level + (amount / 100) * level ** 2 * (1 - level),
  shadows: (level: number, amount: number) => level + (amount / 100) * level * (1 - level) ** 2,
};

/** Factors of red, green and blue for the filter `temperature`. */
export function computeTemperatureGains(amount: number): [red: number, green: number, blue: number] {
  return [1 + amount / 400, 1, 1 - amount / 400];
}
