/** Reasons why a file was not uploaded, and what happens to this file and the others. */
import type { DetailedError } from 'tus-js-client';
import { ApiError } from '../api/client.ts';
import { localizeError } from '../errors/localize-error.ts';
import { t } from '../messages/messages.ts';
import { formatBytes } from '../ui/bytes.ts';

/** Final reason of a refused file, shown to the user with the next step. */
export interface UploadRefusal {
  reason:
    | 'notImage'
    | 'format'
    | 'empty'
    | 'size'
    | 'pixels'
    | 'quota'
    | 'album'
    | 'unreadable'
    | 'closed'
    | 'other';
  /** The API's message, for the reason `other`. */
  message?: string;
  /** Maximum megapixels, for the reason `pixels`. */
  max?: number;
}

/** An album as a row of the list shows it. */
export interface AlbumReference {
  id: number;
  name: string;
}

export type UploadFault =
  /** The connection or the server behind a proxy is down; sending resumes automatically. */
  | { kind: 'unreachable' }
  /** A failure that may pass; the file is retried a few times. With `isFull`, the server's disk is full. */
  | { kind: 'again'; refusal: UploadRefusal; isFull?: boolean }
  /** The rate limit is reached. All files resume at `until`, in milliseconds. */
  | { kind: 'rest'; until: number }
  | { kind: 'signedOut' }
  | { kind: 'duplicate'; photo: number; album: AlbumReference | null }
  | { kind: 'refused'; refusal: UploadRefusal };

/** The browser could not open the file, so a retry is pointless. */
export const unopenableFileRefusal: UploadRefusal = { reason: 'closed' };
export const unreadableFileFault: UploadFault = { kind: 'refused', refusal: { reason: 'unreadable' } };

const photoExists = 20009;
const diskFullStatus = 507;
/** Wait after a refusal that does not say when calls are allowed again. */
const usualRestMs = 5000;
const reasonsByCode: Record<number, UploadRefusal['reason']> = {
  20001: 'format',
  20002: 'size',
  20006: 'quota',
  30001: 'album',
  30002: 'album',
  30004: 'album',
};
const gatewayStatuses = new Set([0, 502, 503, 504]);
/** 423 and the conflict statuses of tus mean that an earlier request for the same upload is still running. */
const temporaryStatuses = new Set([404, 408, 409, 423, 460]);

export async function readUploadFault({ originalResponse: answer }: DetailedError): Promise<UploadFault> {
  const status = answer?.getStatus() ?? 0;
  if (!answer || gatewayStatuses.has(status)) return { kind: 'unreachable' };
  const { code, message = '', data, errors } = parseBody(answer.getBody());
  if (status === 429)
    return {
      kind: 'rest',
      until: Date.now() + (1000 * Number(answer.getHeader('Retry-After')) || usualRestMs),
    };
  if (status === 401) return { kind: 'signedOut' };
  if (code === photoExists && data) return { kind: 'duplicate', photo: data.id, album: data.album ?? null };
  const reason = reasonsByCode[code ?? 0];
  if (reason) return { kind: 'refused', refusal: { reason } };
  const [told, fields] = await localizeError(code ?? status, message, errors);
  const wrong = Object.entries(fields).map(([field, what]) => `${getFieldLabel(field)}: ${what.join(', ')}`);
  const refusal: UploadRefusal = { reason: 'other', message: wrong.join('; ') || told };
  return status >= 500 || temporaryStatuses.has(status)
    ? { kind: 'again', refusal, isFull: status === diskFullStatus }
    : { kind: 'refused', refusal };
}

/** Returns the label of a field in the upload tray. */
function getFieldLabel(field: string): string {
  if (field === 'title') return t('uploadTitle');
  return field === 'tags' ? t('tags') : field;
}

/** Returns the fault for an API call before the upload, such as the creation of an album. */
export function toUploadFault(error: unknown): UploadFault {
  if (!(error instanceof ApiError)) return { kind: 'again', refusal: { reason: 'other' } };
  if (gatewayStatuses.has(error.status)) return { kind: 'unreachable' };
  if (error.status === 401) return { kind: 'signedOut' };
  if (error.status === 429) return { kind: 'rest', until: Date.now() + usualRestMs };
  const refusal: UploadRefusal = { reason: reasonsByCode[error.code] ?? 'other', message: error.message };
  return error.status >= 500
    ? { kind: 'again', refusal, isFull: error.status === diskFullStatus }
    : { kind: 'refused', refusal };
}

interface ErrorBody {
  code?: number;
  message?: string;
  data?: { id: number; album?: AlbumReference | null };
  errors?: Record<string, string[]>;
}

/** A body without the API's envelope comes from a proxy. */
function parseBody(body: string): ErrorBody {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}

/** Returns a refusal that the browser can detect without a request. */
export function checkFileLocally(file: File, maxBytes: number): UploadRefusal | undefined {
  if (file.type !== '' && !file.type.startsWith('image/')) return { reason: 'notImage' };
  if (file.type === 'image/svg+xml') return { reason: 'format' };
  if (file.size === 0) return { reason: 'empty' };
  if (file.size > maxBytes) return { reason: 'size' };
  return undefined;
}

/** Returns a text with the reason and the next step. */
export function describeUploadRefusal({ reason, message, max }: UploadRefusal, maxBytes: number): string {
  switch (reason) {
    case 'notImage':
      return t('uploadNotImage');
    case 'format':
      return t('uploadFormat');
    case 'empty':
      return t('uploadEmpty');
    case 'size':
      return t('uploadTooLarge', { size: formatBytes(maxBytes) });
    case 'pixels':
      return t('uploadTooManyPixels', { max: max ?? 0 });
    case 'quota':
      return t('uploadQuotaReached');
    case 'album':
      return t('uploadAlbumUnavailable');
    case 'unreadable':
      return t('uploadUnreadable');
    case 'closed':
      return t('uploadNoPermission');
    case 'other':
      return t('uploadOther', { message: message || t('errorServer') });
  }
}

/** Returns whether the same file may be accepted later. */
export function isRefusalRetryable({ reason }: UploadRefusal): boolean {
  return !['notImage', 'format', 'empty', 'size', 'pixels', 'closed'].includes(reason);
}
