/**
 * What an authenticator signs: random, good for a few minutes, for one purpose and one session. It is kept nowhere until
 * it was used (a signature tells that it is ours), so that who only asks for them leaves nothing behind.
 */
import { randomBytes } from 'node:crypto';
import type { Deps } from '../../../deps.ts';
import type { Transaction } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import { isWithin } from '../../../platform/process/clock.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { takeOnce } from '../used-once.ts';

/** Seconds: as long as browsers let a person look for their telephone. */
export const challengeLifetime = 300;
const randomLength = 18;

/** `sign in` is for nobody yet; `add` for an account, in the session where its password was given. */
type Purpose = 'sign in' | ReturnType<typeof toAdd>;

export const toAdd = ({ id, sessionId }: Pick<Viewer, 'id' | 'sessionId'>) =>
  `add ${id} in ${sessionId}` as const;

export function createChallenges({ clock, secret }: Pick<Deps, 'clock' | 'secret'>) {
  const signed = (purpose: Purpose, random: string, until: string) =>
    `passkey challenge\n${purpose}\n${random}\n${until}`;

  return {
    issue(purpose: Purpose): string {
      const random = randomBytes(randomLength).toString('base64url');
      const until = String(clock() + challengeLifetime);
      return `${random}.${until}.${secret.sign(signed(purpose, random, until))}`;
    },
    /** `given`: as authenticators return it, in base64url. */
    isGood(purpose: Purpose, given: string): boolean {
      const [random = '', until = '', signature = '', ...more] = textOf(given).split('.');
      // With more behind it, it would be another one, and good once again.
      if (more.length > 0) return false;
      const isInTime = isWithin(Number(until), clock(), challengeLifetime);
      return isInTime && secret.isSigned(signed(purpose, random, until), signature);
    },
  };
}

/** Once: who comes second with the same challenge is refused. Throws wrongLogin. */
export async function useChallenge(deps: Deps, transaction: Transaction, given: string): Promise<void> {
  if (await takeChallenge(deps, transaction, given)) return;
  throw errors.wrongLogin({ message: 'This sign-in was used already' });
}

/** Whether it is the first time. */
export function takeChallenge(deps: Deps, transaction: Transaction, given: string): Promise<boolean> {
  const challenge = textOf(given);
  return takeOnce(deps, transaction, challenge, Number(challenge.split('.')[1]));
}

/** Of a response that was verified. */
export function challengeOf({ response }: { response: { clientDataJSON: string } }): string {
  return JSON.parse(textOf(response.clientDataJSON)).challenge;
}

function textOf(encoded: string): string {
  return Buffer.from(encoded, 'base64url').toString();
}
