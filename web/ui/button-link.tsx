/** A link that looks like a button, for the next step. */
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';

function Anchor({ className = '', ...rest }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a className={`button ${className}`} {...rest} />;
}

export const ButtonLink = createLink(Anchor);
