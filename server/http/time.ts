/** Times: Unix seconds inside, `YYYY-MM-DD HH:MM:SS` (UTC) in JSON. */

export function timeText(seconds: number): string {
  const iso = new Date(seconds * 1000).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}

const secondsOfDay = 86_400;

/** The first second of a day that a schema has checked. */
export function dayStart(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}

/** The first second after a day. */
export function dayEnd(day: string): number {
  return dayStart(day) + secondsOfDay;
}
