/** Events are delivered to the users whose photos and accounts they concern, and to nobody else. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startWebhookDispatcher } from '../../../server/gallery/webhooks/dispatcher.ts';
import { assertDone, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, type Person, register, registerAdmin } from '../../support/people.ts';
import { startReceiver, verifySignature, type WebhookReceiver } from '../../support/webhook-receiver.ts';
import { addWebhook, type CreatedWebhook, settleWebhooks } from '../../support/webhooks.ts';

const email = /@example\.org/;

describe('events', () => {
  let gallery: Gallery;
  let receiver: WebhookReceiver;
  let stop: () => Promise<void>;
  let owner: Person;
  let visitor: Person;
  let admin: Person;
  let webhook: CreatedWebhook;

  before(async () => {
    gallery = await startGallery({ webhookAllowPrivate: true });
    receiver = await startReceiver();
    stop = startWebhookDispatcher(gallery.deps);
    owner = await register(gallery, 'owner');
    visitor = await register(gallery, 'visitor');
    admin = await registerAdmin(gallery, 'admin');
    webhook = await addWebhook(owner, `${receiver.url}/owner`);
  });
  after(async () => {
    await stop();
    await receiver.close();
    await gallery.close();
  });
  beforeEach(async () => {
    await settleWebhooks(gallery);
    receiver.received.length = 0;
  });

  /**
   * Returns the received events in the order of the given types. Asserts that each event is signed and that
   * no other event arrived.
   */
  async function heard(...types: string[]) {
    await receiver.wait(types.length);
    await settleWebhooks(gallery);
    assert.deepEqual(receiver.received.map(({ event }) => event.type).sort(), [...types].sort());
    for (const received of receiver.received) {
      assert.equal(received.path, '/owner');
      verifySignature(webhook.secret, received);
      assert.deepEqual(Object.keys(received.event), ['type', 'timestamp', 'data']);
      assert.match(received.event.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
      assert.doesNotMatch(received.body, email);
    }
    return types.map((type) => receiver.received.find(({ event }) => event.type === type)!.event.data);
  }

  const actor = ({ id, name }: Person) => ({ id, username: name, nickname: '', avatar: '' });
  const shown = (id: number, title: string, visibility = 'public') => ({
    id,
    title,
    visibility,
    is_public: visibility === 'public' ? 1 : 0,
    url: `/api/photos/${id}`,
  });

  test('report a photo that is uploaded, changed, edited, reverted, trashed and restored', async () => {
    const { id } = await addPhoto(owner, { title: 'Dune' });
    const [created] = await heard('photo.created');
    assert.deepEqual(created, { photo: shown(id, 'Dune'), actor: actor(owner) });
    receiver.received.length = 0;

    assertDone(await owner.put(`/api/photos/${id}`, { title: 'Dunes', is_public: 0 }));
    const [updated] = await heard('photo.updated');
    assert.deepEqual(updated, { photo: shown(id, 'Dunes', 'private'), actor: actor(owner) });
    receiver.received.length = 0;

    assertDone(await owner.put(`/api/photos/${id}`, { visibility: 'members' }));
    const [shared] = await heard('photo.updated');
    assert.deepEqual(shared, { photo: shown(id, 'Dunes', 'members'), actor: actor(owner) });
    receiver.received.length = 0;

    const flip = { action: 'flip', params: { direction: 'h' } };
    assertWritten(await owner.post(`/api/photos/${id}/edit`, flip));
    assertWritten(await owner.post(`/api/photos/${id}/revert`, {}));
    await heard('photo.updated', 'photo.updated');
    receiver.received.length = 0;

    assertDone(await admin.delete(`/api/photos/${id}`));
    const [deleted] = await heard('photo.deleted');
    assert.deepEqual(deleted, { photo: shown(id, 'Dunes', 'members'), actor: actor(admin) });
    receiver.received.length = 0;

    assertDone(await owner.post(`/api/photos/${id}/restore`));
    const [restored] = await heard('photo.created');
    assert.deepEqual(restored, { photo: shown(id, 'Dunes', 'members'), actor: actor(owner) });
  });

  test('have the level that a photo got when it left a private album', async () => {
    const album = await addAlbum(owner, 'Closed', { isPublic: false });
    const { id } = await addPhoto(owner, { title: 'Leaving', album_id: String(album) });
    const [created] = await heard('photo.created');
    assert.deepEqual(created.photo, shown(id, 'Leaving'));
    receiver.received.length = 0;
    assertDone(await owner.put(`/api/photos/${id}`, { album_id: null }));
    const [updated] = await heard('photo.updated');
    assert.deepEqual(updated.photo, shown(id, 'Leaving', 'private'));
  });

  test('report a comment, a reply, a like and a follow, but not their removal', async () => {
    const { id } = await addPhoto(owner, { title: 'Reef' });
    await heard('photo.created');
    receiver.received.length = 0;
    const comment = assertWritten(await visitor.post(`/api/photos/${id}/comments`, { content: ' So blue ' }));
    await visitor.post(`/api/photos/${id}/like`);
    await visitor.post(`/api/photos/${id}/favorite`);
    await visitor.post(`/api/users/owner/follow`);
    const [commented, liked, followed] = await heard('comment.created', 'like.created', 'follow.created');
    const photo = shown(id, 'Reef');
    assert.deepEqual(commented, {
      photo,
      comment: { id: comment.id, parent_id: null, content: 'So blue' },
      actor: actor(visitor),
    });
    assert.deepEqual(liked, { photo, actor: actor(visitor) });
    assert.deepEqual(followed, { actor: actor(visitor) });
    receiver.received.length = 0;

    await owner.post(`/api/photos/${id}/comments`, { content: 'Thanks', parent_id: comment.id });
    const [reply] = await heard('comment.created');
    assert.deepEqual([reply.comment.parent_id, reply.actor], [comment.id, actor(owner)]);
    receiver.received.length = 0;

    await visitor.post(`/api/photos/${id}/like`);
    await visitor.post(`/api/users/owner/follow`);
    await visitor.delete(`/api/comments/${comment.id}`);
    await heard();
  });

  test("omit others' photos, comments on them, and refused actions", async () => {
    const { id: theirs } = await addPhoto(visitor, { title: 'Theirs' });
    await owner.post(`/api/photos/${theirs}/like`);
    await owner.post(`/api/photos/${theirs}/comments`, { content: 'Mine there' });
    await owner.post('/api/users/visitor/follow');
    await admin.post('/api/users/visitor/follow');
    const { id: hidden } = await addPhoto(visitor, { title: 'Hidden', is_public: '0' });
    await visitor.post(`/api/photos/${hidden}/comments`, { content: 'Note to myself' });
    assert.equal((await owner.post(`/api/photos/${hidden}/like`)).body.code, 20004);
    assert.equal((await visitor.post('/api/users/visitor/follow')).body.code, 50002);
    await heard();
  });

  test('reach only the owner of a private photo', async () => {
    const eavesdropper = await addWebhook(visitor, `${receiver.url}/visitor`);
    const { id } = await addPhoto(owner, { title: 'Private', is_public: '0' });
    await owner.post(`/api/photos/${id}/comments`, { content: 'For me' });
    const [, commented] = await heard('photo.created', 'comment.created');
    assert.equal(commented.comment.content, 'For me');
    assertDone(await visitor.delete(`/api/webhooks/${eavesdropper.id}`));
  });

  test('report each photo of a batch, but not photos that an album hides', async () => {
    const ids = [(await addPhoto(owner)).id, (await addPhoto(owner)).id];
    await heard('photo.created', 'photo.created');
    receiver.received.length = 0;
    await owner.post('/api/photos/batch', { ids: [...ids, 999_999], action: 'hide' });
    await heard('photo.updated', 'photo.updated');
    receiver.received.length = 0;
    const album = await addAlbum(owner, 'Coast');
    await owner.post(`/api/albums/${album}/photos`, { ids });
    await owner.put(`/api/albums/${album}`, { is_public: 0 });
    await owner.delete(`/api/albums/${album}`);
    await heard();
  });

  test('reach each webhook that subscribes to them', async () => {
    const deaf = await addWebhook(owner, `${receiver.url}/deaf`, { events: ['follow.created'] });
    const off = await addWebhook(owner, `${receiver.url}/off`, { is_active: 0 });
    const second = await addWebhook(owner, `${receiver.url}/second`, { events: ['photo.created'] });
    await addPhoto(owner, { title: 'Twice' });
    await receiver.wait(2);
    await settleWebhooks(gallery);
    assert.deepEqual(receiver.received.map(({ path }) => path).sort(), ['/owner', '/second']);
    const [one, other] = receiver.received.map(({ headers }) => headers['webhook-id']);
    assert.equal(one, other, 'one event has one id');
    for (const { id } of [deaf, off, second]) assertDone(await owner.delete(`/api/webhooks/${id}`));
  });

  test('are not sent when the transaction is rolled back', async () => {
    const full = gallery.deps.db.kysely.updateTable('users').where('id', '=', owner.id);
    await full.set({ quota_bytes: 1 }).execute();
    assert.equal((await owner.upload(Buffer.from('no picture'))).body.code, 20001);
    await assert.rejects(addPhoto(owner), /20006/);
    await full.set({ quota_bytes: null }).execute();
    await heard();
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
