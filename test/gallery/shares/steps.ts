/** Helpers for tests of share links. */
import assert from 'node:assert/strict';
import { assertRead, assertRefused } from '../../support/assert-answers.ts';
import type { Gallery } from '../../support/harness.ts';
import { type Answer, asVisitor, type Person } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

export const privateFields = { is_public: '0' };
export const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' };

export interface CreatedShare {
  id: number;
  url: string;
  qrcode: string;
  token: string;
}

export async function addSharedPhoto(person: Person, fields: Record<string, string> = {}): Promise<number> {
  const { body } = await person.upload(await createJpeg(), { title: 'Harbour', ...fields });
  assert.equal(body.code, 0, JSON.stringify(body));
  return body.data.id;
}

export async function share(person: Person, photo: number, more: object = {}): Promise<CreatedShare> {
  const { status, body } = await person.post(`/api/photos/${photo}/share`, { type: 'link', ...more });
  assert.equal(status, 200, JSON.stringify(body));
  return { ...body.data, token: body.data.url.split('/').at(-1) };
}

/** Shares a new private photo of the person. */
export async function sharePrivate(person: Person, more: object = {}): Promise<CreatedShare> {
  return share(person, await addSharedPhoto(person, privateFields), more);
}

export function open(gallery: Gallery, token: string, access?: string): Promise<Answer> {
  const query = access === undefined ? '' : `?access=${encodeURIComponent(access)}`;
  return asVisitor(gallery).get(`/api/shares/${token}${query}`);
}

/** Opens the link, and returns the data it shows. */
export async function shown(gallery: Gallery, token: string, access?: string) {
  return assertRead(await open(gallery, token, access));
}

export async function assertGone(gallery: Gallery, token: string, access?: string): Promise<void> {
  assertRefused(await open(gallery, token, access), 404, 20007);
}

export function download(gallery: Gallery, token: string, access?: string): Promise<Answer> {
  const query = access === undefined ? '' : `?access=${encodeURIComponent(access)}`;
  return asVisitor(gallery).get(`/api/shares/${token}/download${query}`);
}

/** Loads the HTML page of a share link. */
export function loadSharePage(gallery: Gallery, token: string, headers: Record<string, string> = {}) {
  return asVisitor(gallery).get(`/s/${token}`, headers);
}

export function tryPassword(gallery: Gallery, token: string, password: unknown): Promise<Answer> {
  return asVisitor(gallery).post(`/api/shares/${token}/unlock`, { password });
}

export async function unlock(gallery: Gallery, token: string, password: string): Promise<string> {
  const { body } = await tryPassword(gallery, token, password);
  assert.equal(body.code, 0, JSON.stringify(body));
  return body.data.access;
}

export function tryForm(gallery: Gallery, token: string, password: string): Promise<Answer> {
  const body = new URLSearchParams({ password }).toString();
  return asVisitor(gallery).send('POST', `/s/${token}`, { body, headers: formHeaders });
}

/** Returns a share as its creator's list shows it. */
export async function listed(person: Person, id: number) {
  const { body } = await person.get('/api/shares?limit=100');
  return body.data.list.find((item: { id: number }) => item.id === id);
}

export async function assertCode(answer: Promise<Answer>, status: number, code: number): Promise<void> {
  const { status: given, body } = await answer;
  assert.deepEqual([given, body.code], [status, code]);
}
