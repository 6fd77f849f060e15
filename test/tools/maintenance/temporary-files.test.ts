/**
 * Temporary files that are still being written stay, also when a process with a clock two days ahead runs
 * maintenance.
 */
import assert from 'node:assert/strict';
import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { assertRead } from '../../support/assert-answers.ts';
import { eventually, listStoredObjects } from '../../support/gallery-counts.ts';
import { asVisitor, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { createRequestHead, openSocket } from '../../support/raw.ts';
import { command, locationKinds } from '../transfer/databases.ts';
import { createScope } from '../transfer/gallery-locations.ts';
import { sweepAll, whileServed } from '../transfer/wrong-databases.ts';

const twoDays = 2 * 86_400;

for (const [name, makeHome] of Object.entries(locationKinds)) {
  describe(`temporary files on ${name}`, () => {
    test('temporary files of live uploads, other hosts and strangers survive a maintenance run two days ahead', async (context) => {
      const scope = createScope();
      context.after(() => scope.end());
      const home = await makeHome(scope);
      const tmp = join(home.dataDir, 'tmp');
      await whileServed(home, async (gallery) => {
        // Raises the time limit of the upload, so that a slow command on a busy machine does not end it.
        gallery.shared.connections.bodyWindowMs = 600_000;
        const owner = await register(gallery, 'owner');
        const { first, rest } = await halves();
        const socket = openSocket(gallery);
        // Closes the socket at the end, because after a failure the test would otherwise wait forever.
        using _ = { [Symbol.dispose]: () => void socket.destroy() };
        const answered = new Promise<string>((found) => {
          let text = '';
          socket.on('data', (chunk) => {
            text += chunk;
          });
          socket.on('close', () => found(text));
        });
        socket.write(
          createRequestHead('POST', '/api/photos/upload', {
            Authorization: `Bearer ${owner.token}`,
            'Content-Type': 'multipart/form-data; boundary=x',
            'Content-Length': first.length + rest.length,
          }),
        );
        socket.write(first);
        await eventually(async () => {
          const [file] = await readdir(tmp);
          assert.ok(file && (await stat(join(tmp, file))).size > 0, 'it is under way');
        }, 60_000);
        const [own] = await readdir(tmp);

        const others = ['00000000-1-00000000-05', 'of another user', 'photo.jpg'];
        const leftOver = '00000000-1-00000000-06';
        const put = (file: string) => writeFile(join(tmp, file), 'x');
        await Promise.all([...others, leftOver].map(put));
        const longAgo = new Date(Date.now() - 3 * 3_600_000);
        for (const file of ['photo.jpg', leftOver]) await utimes(join(tmp, file), longAgo, longAgo);

        assert.equal((await command(home, ['check', '--fast'], { later: twoDays })).code, 0);
        gallery.travel(twoDays);
        await sweepAll(gallery);
        assert.deepEqual((await readdir(tmp)).sort(), [own, ...others].sort());
        assert.deepEqual(await listStoredObjects(gallery.deps), []);

        socket.write(rest);
        const answer = await answered;
        assert.match(answer, /^HTTP\/1\.1 200 /);
        const { list } = assertRead(await asVisitor(gallery).get('/api/photos'));
        assert.equal(list.length, 1);
        assert.equal((await asVisitor(gallery).get(list[0].thumb)).status, 200);
        assert.deepEqual((await readdir(tmp)).sort(), others.sort());
      });
    });
  });
}

/** Returns the body of an upload in two parts, split inside the file. */
async function halves(): Promise<{ first: Buffer; rest: Buffer }> {
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
  const picture = await createJpeg({ width: 1200, height: 900 });
  const body = Buffer.concat([Buffer.from(part), picture, Buffer.from('\r\n--x--\r\n')]);
  return { first: body.subarray(0, body.length - 1000), rest: body.subarray(body.length - 1000) };
}
