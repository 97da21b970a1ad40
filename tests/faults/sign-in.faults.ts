import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../src/contract/calls.ts';
import { ApiApp, databases } from '../harness/api-app.ts';
import { MailServer } from '../harness/mail-server.ts';
import { timeOf } from './installation.ts';

/** Tries of each kind, one after the other in turns, and milliseconds by which their medians may be apart. */
const TRIES = 1000;
const APART = 5;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

describe.each(databases)('whether an address is known, on %s', (kind) => {
  let api: ApiApp;
  let mail: MailServer;
  let email: string;
  beforeAll(async () => {
    mail = await MailServer.start();
    api = await ApiApp.start(kind, { SMTP_URL: mail.url, TRUSTED_PROXIES: '127.0.0.1' });
    ({ email } = await api.addUser(api.one, {}));
  });
  afterAll(async () => {
    await api.close();
    await mail.close();
  });

  const CALLS = {
    'a wrong password': { call: calls.users.login, body: { password: 'wrong password' }, status: 422 },
    'a forgotten password': { call: calls.users.forgot, body: {}, status: 200 },
  } as const;

  it.each(Object.entries(CALLS))('security 1: %s does not tell by its time', async (_name, { call, body, status }) => {
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let round = 0; round < TRIES; round++)
      for (const address of ['known', 'unknown'] as const) {
        await api.services.db.deleteFrom('attempts').execute();
        const given = { ...body, email: address === 'known' ? email : `nobody-${round}@example.com` };
        const headers = { 'x-forwarded-for': `198.51.100.${round % 250}` };
        const ask = async () => expect((await api.call(call, {}, { body: given, headers })).status).toBe(status);
        times[address].push(await timeOf(ask));
      }
    const [known, unknown] = [median(times.known), median(times.unknown)];
    console.log(`Known addresses: ${known.toFixed(1)} ms, unknown ones: ${unknown.toFixed(1)} ms.`);
    expect(Math.abs(known - unknown)).toBeLessThan(APART);
  });
});
