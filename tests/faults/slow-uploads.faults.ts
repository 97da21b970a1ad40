import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginUpload } from './half-upload.ts';
import { type Installation, share, startInstallation, timeOf, withSlack } from './installation.ts';

const UPLOADS = 500;
/** Calls that are timed before, and pause between two of them in milliseconds. */
const CALLS = 200;
const PAUSE = 50;
/** How many times as long as before 95 of 100 calls may take; what is below these milliseconds is no difference. */
const SLOWER = 3;
const NO_DIFFERENCE = 15;

let server: Installation;
beforeAll(async () => {
  server = await startInstallation();
});
afterAll(() => server.close());

describe('uploads that never end', () => {
  it(`security 33: ${UPLOADS} at a byte a second end in 408 and leave nothing; others are answered as ever`, async () => {
    const call = () => timeOf(() => server.client.rooms.read({ params: { id: server.room } }));
    const before: number[] = [];
    for (let index = 0; index < CALLS; index++) before.push(await call());

    const answers: string[] = [];
    const begun = performance.now();
    const { hostname, port } = new URL(server.origin);
    const uploads = Array.from({ length: UPLOADS }, async () => {
      const socket = connect(Number(port), hostname);
      socket.setEncoding('latin1');
      beginUpload(socket, server.origin, server.token());
      const drip = setInterval(() => socket.write('1'), 1000);
      let answer = '';
      socket.on('data', (text: string) => {
        answer += text;
      });
      socket.on('error', () => {});
      await new Promise((resolve) => socket.on('close', resolve));
      clearInterval(drip);
      answers.push(answer.split('\r\n')[0]!);
    });
    const during: number[] = [];
    while (answers.length < UPLOADS) {
      during.push(await call());
      await passed(PAUSE);
    }
    await Promise.all(uploads);
    const seconds = Math.round((performance.now() - begun) / 1000);
    const [usual, slowed] = [share(before, 0.95), share(during, 0.95)];
    console.log(
      `${UPLOADS} slow uploads ended within ${seconds} s; 95 of 100 other calls within ${slowed.toFixed(1)} ms, ${usual.toFixed(1)} ms before.`,
    );
    expect([...new Set(answers)]).toEqual(['HTTP/1.1 408 Request Timeout']);
    const left = () => readdir(join(server.folder, 'media/arriving'));
    await expect.poll(left, { timeout: 10_000 }).toEqual([]);
    expect(slowed).toBeLessThan(Math.max(withSlack(NO_DIFFERENCE), SLOWER * usual));
  });
});
