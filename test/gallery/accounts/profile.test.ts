import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, logIn, type Person, password, register } from '../../support/people.ts';

let gallery: Gallery;

before(async () => {
  gallery = await startGallery();
});
after(() => gallery.close());

const readProfile = async (who: Person) => {
  const { nickname, bio, gender, birthday, mobile } = assertRead(await who.get('/api/auth/user'));
  return { nickname, bio, gender, birthday, mobile };
};

describe('the profile', () => {
  test('changes in the fields given, and in no other', async () => {
    const person = await register(gallery, 'sally');
    const answer = await person.put('/api/auth/profile', {
      nickname: 'Sally M.',
      bio: 'Black & white',
      gender: 2,
      birthday: '1951-05-01',
      mobile: '+1 505 555',
    });
    assert.deepEqual(assertWritten(answer), {
      id: person.id,
      nickname: 'Sally M.',
      bio: 'Black & white',
    });
    const all = {
      nickname: 'Sally M.',
      bio: 'Black & white',
      gender: 2,
      birthday: '1951-05-01',
      mobile: '+1 505 555',
    };
    assert.deepEqual(await readProfile(person), all);

    for (const change of [
      { nickname: '' },
      { bio: '' },
      { gender: 0 },
      { birthday: '' },
      { mobile: '' },
      { nickname: '阿波 📷' },
      {},
    ]) {
      const { nickname, bio } = assertWritten(await person.put('/api/auth/profile', change));
      Object.assign(all, change);
      assert.deepEqual([nickname, bio], [all.nickname, all.bio]);
      assert.deepEqual(await readProfile(person), all);
    }
  });

  test('takes every field up to its limit, counted in characters', async () => {
    const person = await register(gallery, 'limits');
    const max = {
      nickname: '📷'.repeat(50),
      bio: '字'.repeat(500),
      gender: 1,
      birthday: '2000-02-29',
      mobile: '1'.repeat(20),
    };
    assertWritten(await person.put('/api/auth/profile', max));
    assert.deepEqual(await readProfile(person), max);
  });

  test('names every bad field and changes nothing', async () => {
    const person = await register(gallery, 'careful');
    const before = await readProfile(person);
    const bad: [object, string[]][] = [
      [
        {
          nickname: 'n'.repeat(51),
          bio: 'b'.repeat(501),
          gender: 3,
          birthday: '2024-02-30',
          mobile: '1'.repeat(21),
        },
        ['nickname', 'bio', 'gender', 'birthday', 'mobile'],
      ],
      [
        { nickname: 7, bio: {}, gender: '1', birthday: 0, mobile: ['1'] },
        ['nickname', 'bio', 'gender', 'birthday', 'mobile'],
      ],
      [{ nickname: 'a\u0000b', bio: '\ud800' }, ['nickname', 'bio']],
      [{ nickname: 'fine', gender: -1 }, ['gender']],
      [{ nickname: 'fine', gender: 1.5 }, ['gender']],
      [{ birthday: '2999-01-01' }, ['birthday']],
      ...['0000-00-00', '10000-01-01', '2024-1-1', '2024-01-01T00:00:00Z', 'now()', '2023-02-29'].map(
        (birthday) => [{ bio: 'fine', birthday }, ['birthday']] as [object, string[]],
      ),
    ];
    for (const [change, fields] of bad) {
      assertRefused(await person.put('/api/auth/profile', change), 400, 400, fields);
    }
    assert.deepEqual(await readProfile(person), before);
  });

  test('is changed by its user, and gives no rights', async () => {
    const [one, other] = [await register(gallery, 'one'), await register(gallery, 'other')];
    assertRefused(await asVisitor(gallery).put('/api/auth/profile', { bio: 'x' }), 401, 401);
    const theirs = await readProfile(other);
    const wishes = { is_admin: true, status: 0, quota_bytes: 1, username: 'root', email: 'x@example.org' };
    await one.put('/api/auth/profile', { bio: 'mine', nickName: 'x', id: other.id, ...wishes });
    assert.deepEqual(await readProfile(other), theirs);
    const me = assertRead(await one.get('/api/auth/user'));
    assert.deepEqual(
      [me.bio, me.nickname, me.is_admin, me.status, me.username, me.email],
      ['mine', '', false, 1, 'one', 'one@example.org'],
    );
  });
});

describe('the password', () => {
  const change = (who: Person, old_password: unknown, new_password: unknown) =>
    who.put('/api/auth/password', { old_password, new_password });

  test('is changed with the old one, and ends every other session', async () => {
    const here = await register(gallery, 'phone');
    const [there, somewhere] = [await logIn(gallery, here), await logIn(gallery, here)];
    const stranger = await register(gallery, 'bystander');

    assertDone(await change(here, password, 'a new secret'));
    assert.equal(assertRead(await here.get('/api/auth/user')).username, 'phone');
    for (const ended of [there, somewhere]) assertRefused(await ended.get('/api/auth/user'), 401, 10006);
    assertRead(await stranger.get('/api/auth/user'));
    const login = (secret: string) =>
      asVisitor(gallery).post('/api/auth/login', { username: 'phone', password: secret });
    assertRefused(await login(password), 401, 10003);
    assertWritten(await login('a new secret'));
  });

  test('a wrong old one is 10005 and changes nothing', async () => {
    const [here, there] = [
      await register(gallery, 'typist'),
      await logIn(gallery, { ...asVisitor(gallery), name: 'typist' }),
    ];
    assertRefused(await change(here, 'wrong password', 'a new secret'), 400, 10005);
    assertRefused(await change(here, password.toUpperCase(), 'a new secret'), 400, 10005);
    assertRead(await there.get('/api/auth/user'));
    await logIn(gallery, here);
  });

  test('names every bad field', async () => {
    const person = await register(gallery, 'forgetful');
    assertRefused(await person.put('/api/auth/password', {}), 400, 400, ['old_password', 'new_password']);
    assertRefused(await change(person, '', '12345'), 400, 400, ['old_password', 'new_password']);
    assertRefused(await change(person, 'x'.repeat(1025), 'x'.repeat(129)), 400, 400, [
      'old_password',
      'new_password',
    ]);
    assertRefused(await change(person, [password], 123456), 400, 400, ['old_password', 'new_password']);
    assertRefused(await change(asVisitor(gallery), password, 'a new secret'), 401, 401);
    await logIn(gallery, person);
  });
});

test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
