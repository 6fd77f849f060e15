/**
 * Signs in again without a password. The OpenID provider opens in a new tab, which notifies this tab
 * (page-signed-in).
 */
import type { Site } from '../api/types.ts';
import { hasPasskeys, SignInMethods } from '../auth/sign-in-methods.tsx';
import { type SignInResult, usePasskeyAgain } from './queries.ts';

export const hasOtherSignInMethods = (site: Site): boolean => site.sign_in.oidc !== null || hasPasskeys(site);

export function OtherSignInMethods({ site, onDone }: { site: Site; onDone(entered: SignInResult): void }) {
  const passkey = usePasskeyAgain();
  return <SignInMethods site={site} to="/signed-in" isApart passkey={passkey} onDone={onDone} />;
}
