/** Messages for errors of an OpenID sign-in: the server writes the code into the URL as `problem`. */
import { type MessageKey, t } from '../messages/messages.ts';

const problemTexts: Record<string, MessageKey> = {
  unreachable: 'problemUnreachable',
  busy: 'problemTooMany',
  email: 'problemEmailTaken',
  closed: 'registrationClosedText',
  link: 'problemInvalidLink',
  disabled: 'problemDisabled',
  expired: 'problemExpired',
  refused: 'problemRefused',
};

export function describeSignInProblem(problem: string): string {
  return t(Object.hasOwn(problemTexts, problem) ? problemTexts[problem]! : 'problemRefused');
}
