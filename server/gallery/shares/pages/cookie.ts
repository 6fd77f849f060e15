/** The cookie that keeps a share's page open: for that page only, and out of reach of scripts and other sites. */
import type { FastifyRequest } from 'fastify';
import { accessLifetime } from '../access.ts';

/** `url` is the page's, in full: its path is the cookie's, and over https it goes by https only. */
export function accessCookie(access: string, url: string): string {
  const { pathname, protocol } = new URL(url);
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `access=${access}; Max-Age=${accessLifetime}; Path=${pathname}; HttpOnly; SameSite=Strict${secure}`;
}

export function readAccessCookie({ headers }: FastifyRequest): string | undefined {
  return /(?:^|;\s*)access=([\w.-]+)/.exec(headers.cookie ?? '')?.[1];
}
