import { describe, expect, test } from 'vitest';
import { readSettings } from '../../../src/server/core/settings.ts';
import { unsafeSettings } from '../../../src/server/core/unsafe-settings.ts';

const named = (environment: Record<string, string>) =>
  unsafeSettings(readSettings(environment)).map((sentence) => /^\w+/.exec(sentence)![0]);

describe('what is unsafe is said at the start', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['on one’s own machine, nothing', {}, []],
    ['in a network of one’s own, nothing', { PUBLIC_URL: 'http://192.168.1.20:8080', HOST: '0.0.0.0' }, []],
    [
      'behind a public address with nothing else set: the demo, and the proxy',
      { PUBLIC_URL: 'https://rooms.example.com' },
      ['DEMO', 'TRUSTED_PROXIES'],
    ],
    [
      'at a public address without encryption',
      { PUBLIC_URL: 'http://rooms.example.com', DEMO: '0', TRUSTED_PROXIES: '127.0.0.1' },
      ['PUBLIC_URL'],
    ],
    ['open to all without an address', { HOST: '0.0.0.0' }, ['PUBLIC_URL']],
    ['on a database of several without a common key', { DATABASE_URL: 'postgres://db.example/e' }, ['SECRET_KEY']],
    [
      'with everything set, nothing',
      {
        PUBLIC_URL: 'https://rooms.example.com',
        HOST: '0.0.0.0',
        DEMO: '0',
        TRUSTED_PROXIES: '10.0.0.2',
        DATABASE_URL: 'postgres://db.example/e',
        SECRET_KEY: 'x'.repeat(32),
      },
      [],
    ],
  ])('%s', (_, environment, said) => {
    expect(named(environment)).toEqual(said);
  });
});
