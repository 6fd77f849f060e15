/** Times: Unix seconds inside, `YYYY-MM-DD HH:MM:SS` (UTC) in JSON. */

export function timeText(seconds: number): string {
  const iso = new Date(seconds * 1000).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}

const secondsOfDay = 86_400;

/** The first second of a day, or undefined where there is no such day (2023-02-29). */
export function dayStart(day: string): number | undefined {
  const time = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day) return undefined;
  return time / 1000;
}

/** The first second after a day. */
export function dayEnd(day: string): number | undefined {
  const start = dayStart(day);
  return start === undefined ? undefined : start + secondsOfDay;
}
