/** Sends one mail over SMTP. */
import type { Config } from '../../config.ts';
import type { MailRow } from '../../platform/db/tables.ts';
import type { RenderedMail } from './template.ts';

/** Loads the SMTP library with the first mail, because a gallery without mail does not need the library. */
const loadMailLibrary = () => import('nodemailer');

/**
 * Time limit in milliseconds for each step of the SMTP conversation. All steps together must fit in the lease of
 * dispatcher.ts.
 */
const timeoutMs = 20_000;

export interface MailAttemptResult {
  /** Error code of the attempt, or '' if the mail server accepted the mail. */
  error: string;
  /** Whether the mail server rejected the mail permanently, so that a retry would fail too. */
  isFinal: boolean;
}

export type SendMail = (
  letter: RenderedMail,
  row: Pick<MailRow, 'id' | 'create_time'>,
) => Promise<MailAttemptResult>;

/** Returns the function that sends mail. The returned function never rejects, but returns each error as a result. */
export function createSendMail({ mail, baseUrl }: Config): SendMail {
  const options = {
    url: mail!.url,
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const { hostname } = new URL(baseUrl!);

  return async ({ to, subject, text, html }, { id, create_time }) => {
    try {
      const { createTransport } = await loadMailLibrary();
      await createTransport(options).sendMail({
        from: mail!.from,
        // Pass the email address as an object, so that the library does not parse it as a list of email addresses.
        to: { name: '', address: to },
        subject,
        text,
        html,
        // Each attempt has the same message id, so a mail program that receives two copies shows one.
        messageId: `<${id}.${create_time}@${hostname}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return { error: '', isFinal: false };
    } catch (error) {
      return toMailSendResult(error as { code?: unknown; responseCode?: unknown });
    }
  };
}

/** Reduces an SMTP error to a code. The mail server's full reply may quote the mail, so the reply is not stored. */
function toMailSendResult({
  code,
  responseCode,
}: {
  code?: unknown;
  responseCode?: unknown;
}): MailAttemptResult {
  const name = typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : 'failed';
  const reply = typeof responseCode === 'number' ? responseCode : 0;
  // Only errors of the email address or the message are final. Wrong credentials are for the operator to fix, and mail
  // waits until then.
  const isFinal = reply >= 500 && (name === 'EENVELOPE' || name === 'EMESSAGE');
  return { error: reply > 0 ? `${name} ${reply}` : name, isFinal };
}
