/**
 * Issues and checks the challenges that authenticators sign. A challenge is random, valid for a few minutes, and
 * bound to one purpose and session. The server's signature identifies its own challenges, so an unused challenge is
 * not stored and costs nothing.
 */
import { randomBytes } from 'node:crypto';
import type { Deps } from '../../../deps.ts';
import type { Transaction } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { isWithinValidity } from '../../../platform/process/clock.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { consumeCodeOnce } from '../used-once.ts';

/** Seconds for which a passkey challenge is valid, as long as browsers give a person to find their phone. */
export const passkeyChallengeLifetime = 300;
const randomLength = 18;

/**
 * Purpose of a challenge: `sign in` for an unknown user, or `add` for an account in the session where its password
 * was given.
 */
type ChallengePurpose = 'sign in' | ReturnType<typeof buildAddPasskeyPurpose>;

export const buildAddPasskeyPurpose = ({ id, sessionId }: Pick<Viewer, 'id' | 'sessionId'>) =>
  `add ${id} in ${sessionId}` as const;

export function createPasskeyChallenges({ clock, secret }: Pick<Deps, 'clock' | 'secret'>) {
  const signed = (purpose: ChallengePurpose, random: string, until: string) =>
    `passkey challenge\n${purpose}\n${random}\n${until}`;

  return {
    issue(purpose: ChallengePurpose): string {
      const random = randomBytes(randomLength).toString('base64url');
      const until = String(clock() + passkeyChallengeLifetime);
      return `${random}.${until}.${secret.sign(signed(purpose, random, until))}`;
    },
    /**
     * Returns whether a passkey challenge is valid for the purpose. `given` is the challenge in base64url, as
     * authenticators return it.
     */
    isValid(purpose: ChallengePurpose, given: string): boolean {
      const [random = '', until = '', signature = '', ...more] = decodeBase64Url(given).split('.');
      // Reject a challenge with trailing parts, because a padded challenge would count as unused.
      if (more.length > 0) return false;
      const isInTime = isWithinValidity(Number(until), clock(), passkeyChallengeLifetime);
      return isInTime && secret.isSigned(signed(purpose, random, until), signature);
    },
  };
}

/** Marks a passkey challenge as used. Throws wrongLogin if it was used before. */
export async function requireUnusedPasskeyChallenge(
  deps: Deps,
  transaction: Transaction,
  given: string,
): Promise<void> {
  if (await consumePasskeyChallenge(deps, transaction, given)) return;
  throw errors.wrongLogin({ message: 'This sign-in was already used. Start again.' });
}

/** Marks a passkey challenge as used and returns whether this is its first use. */
export function consumePasskeyChallenge(
  deps: Deps,
  transaction: Transaction,
  given: string,
): Promise<boolean> {
  const challenge = decodeBase64Url(given);
  return consumeCodeOnce(deps, transaction, challenge, Number(challenge.split('.')[1]));
}

/** Returns the challenge that an authenticator's verified response contains. */
export function readPasskeyChallenge({ response }: { response: { clientDataJSON: string } }): string {
  return JSON.parse(decodeBase64Url(response.clientDataJSON)).challenge;
}

function decodeBase64Url(encoded: string): string {
  return Buffer.from(encoded, 'base64url').toString();
}
