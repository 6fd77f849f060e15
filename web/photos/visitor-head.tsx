/**
 * Says above the photos of the home page what a visitor looks at, and offers an account. The server renders the same
 * markup (gallery/pages/visitor-head.ts).
 */
import { Link } from '@tanstack/react-router';
import type { Site } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import './visitor-head.css';

export function VisitorHead({ site: { name, welcome, registration, sign_in } }: { site: Site }) {
  return (
    <>
      <h1 className="unseen">{t('photos')}</h1>
      <header className="visitor-head">
        <p dir="auto">{welcome || t('visitorWelcome', { name })}</p>
        {registration === 'open' && sign_in.password && (
          <Link className="button" to="/register">
            {t('createAccount')}
          </Link>
        )}
      </header>
    </>
  );
}
