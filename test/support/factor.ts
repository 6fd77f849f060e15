/** Sets up a second factor for a test user, and generates the codes of the authenticator app. */
import { Secret, TOTP } from 'otpauth';
import { assertWritten } from './assert-answers.ts';
import type { Gallery } from './harness.ts';
import { type Person, password } from './people.ts';

/**
 * Turns on a second factor. Returns a function that moves the gallery's clock by a minute and returns the
 * app's next code.
 */
export async function switchOnFactor(gallery: Gallery, person: Person): Promise<() => string> {
  const { secret } = assertWritten(await person.post('/api/auth/totp', { password }));
  const nextCode = () => {
    gallery.travel(60);
    return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: gallery.deps.clock() * 1000 });
  };
  assertWritten(await person.post('/api/auth/totp/confirm', { code: nextCode() }));
  return nextCode;
}
