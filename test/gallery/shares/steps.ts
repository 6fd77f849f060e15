/** The steps that tests of shares are made of. */
import assert from 'node:assert/strict';
import { assertRead, assertRefused } from '../../support/answers.ts';
import type { Gallery } from '../../support/harness.ts';
import { type Answer, anonymous, type Person } from '../../support/people.ts';
import { jpeg } from '../../support/pictures.ts';

export const isPrivate = { is_public: '0' };
export const form = { 'content-type': 'application/x-www-form-urlencoded' };

export interface Made {
  id: number;
  url: string;
  qrcode: string;
  token: string;
}

export async function photoOf(person: Person, fields: Record<string, string> = {}): Promise<number> {
  const { body } = await person.upload(await jpeg(), { title: 'Harbour', ...fields });
  assert.equal(body.code, 0, JSON.stringify(body));
  return body.data.id;
}

export async function share(person: Person, photo: number, more: object = {}): Promise<Made> {
  const { status, body } = await person.post(`/api/photos/${photo}/share`, { type: 'link', ...more });
  assert.equal(status, 200, JSON.stringify(body));
  return { ...body.data, token: body.data.url.split('/').at(-1) };
}

/** Of a photo of their own that is private. */
export async function sharePrivate(person: Person, more: object = {}): Promise<Made> {
  return share(person, await photoOf(person, isPrivate), more);
}

export function open(gallery: Gallery, token: string, access?: string): Promise<Answer> {
  const query = access === undefined ? '' : `?access=${encodeURIComponent(access)}`;
  return anonymous(gallery).get(`/api/shares/${token}${query}`);
}

/** Opens it, and returns what it shows. */
export async function shown(gallery: Gallery, token: string, access?: string) {
  return assertRead(await open(gallery, token, access));
}

export async function assertGone(gallery: Gallery, token: string, access?: string): Promise<void> {
  assertRefused(await open(gallery, token, access), 404, 20007);
}

export function download(gallery: Gallery, token: string, access?: string): Promise<Answer> {
  const query = access === undefined ? '' : `?access=${encodeURIComponent(access)}`;
  return anonymous(gallery).get(`/api/shares/${token}/download${query}`);
}

/** Its page for people. */
export function pageOf(gallery: Gallery, token: string, headers: Record<string, string> = {}) {
  return anonymous(gallery).get(`/s/${token}`, headers);
}

export function tryPassword(gallery: Gallery, token: string, password: unknown): Promise<Answer> {
  return anonymous(gallery).post(`/api/shares/${token}/unlock`, { password });
}

export async function unlock(gallery: Gallery, token: string, password: string): Promise<string> {
  const { body } = await tryPassword(gallery, token, password);
  assert.equal(body.code, 0, JSON.stringify(body));
  return body.data.access;
}

export function tryForm(gallery: Gallery, token: string, password: string): Promise<Answer> {
  const body = new URLSearchParams({ password }).toString();
  return anonymous(gallery).send('POST', `/s/${token}`, { body, headers: form });
}

/** A share as its maker's list shows it. */
export async function listed(person: Person, id: number) {
  const { body } = await person.get('/api/shares?limit=100');
  return body.data.list.find((item: { id: number }) => item.id === id);
}

export async function assertCode(answer: Promise<Answer>, status: number, code: number): Promise<void> {
  const { status: given, body } = await answer;
  assert.deepEqual([given, body.code], [status, code]);
}
