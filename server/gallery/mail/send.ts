/** One attempt over SMTP. */
import type { Config } from '../../config.ts';
import type { MailRow } from '../../platform/db/tables.ts';
import type { Letter } from './letter.ts';

/** Loaded with the first letter: galleries without mail need none of it. */
const library = () => import('nodemailer');

/** For each step of the conversation; together they stay inside the lease (dispatcher.ts). */
const stepMs = 20_000;

export interface Result {
  /** '' where the server took it. */
  error: string;
  /** The server refuses it for good: nothing gets better by trying again. */
  isFinal: boolean;
}

export type Send = (letter: Letter, row: Pick<MailRow, 'id' | 'create_time'>) => Promise<Result>;

/** Never rejects: whatever goes wrong is a result. */
export function createSend({ mail, baseUrl }: Config): Send {
  const options = {
    url: mail!.url,
    dnsTimeout: stepMs,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const { hostname } = new URL(baseUrl!);

  return async ({ to, subject, text, html }, { id, create_time }) => {
    try {
      const { createTransport } = await library();
      await createTransport(options).sendMail({
        from: mail!.from,
        // As an object: an address is never read as a list of them.
        to: { name: '', address: to },
        subject,
        text,
        html,
        // The same at every attempt: programs that got two show one.
        messageId: `<${id}.${create_time}@${hostname}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return { error: '', isFinal: false };
    } catch (error) {
      return resultOf(error as { code?: unknown; responseCode?: unknown });
    }
  };
}

/** A code at most: what the server says may repeat what was in the mail. */
function resultOf({ code, responseCode }: { code?: unknown; responseCode?: unknown }): Result {
  const name = typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : 'failed';
  const reply = typeof responseCode === 'number' ? responseCode : 0;
  // Of the address or the message; wrong credentials are the operator's to mend, meanwhile mail waits.
  const isFinal = reply >= 500 && (name === 'EENVELOPE' || name === 'EMESSAGE');
  return { error: reply > 0 ? `${name} ${reply}` : name, isFinal };
}
