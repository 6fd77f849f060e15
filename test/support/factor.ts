/** A second factor of a person of the tests, and the codes of their app. */
import { Secret, TOTP } from 'otpauth';
import { assertWriteReturnedData } from './assert-answers.ts';
import type { Gallery } from './harness.ts';
import { type Person, password } from './people.ts';

/** Switches it on. Returns what their app shows: the next code each time, a minute of the gallery's clock later. */
export async function switchOnFactor(gallery: Gallery, person: Person): Promise<() => string> {
  const { secret } = assertWriteReturnedData(await person.post('/api/auth/totp', { password }));
  const nextCode = () => {
    gallery.travel(60);
    return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: gallery.deps.clock() * 1000 });
  };
  assertWriteReturnedData(await person.post('/api/auth/totp/confirm', { code: nextCode() }));
  return nextCode;
}
