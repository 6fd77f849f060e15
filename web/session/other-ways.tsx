/** Signing in again without a password. At the provider one does so in another tab, which tells this one (page-signed-in). */
import type { Site } from '../api/types.ts';
import { hasPasskeys, Ways } from '../auth/ways.tsx';
import { type Entered, usePasskeyAgain } from './queries.ts';

export const hasOtherWays = (site: Site): boolean => site.sign_in.oidc !== null || hasPasskeys(site);

export function OtherWays({ site, onDone }: { site: Site; onDone(entered: Entered): void }) {
  const passkey = usePasskeyAgain();
  return <Ways site={site} to="/signed-in" isApart passkey={passkey} onDone={onDone} />;
}
