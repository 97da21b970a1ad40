import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCountries } from '../../../../src/server/core/countries.ts';
import { deviceClassOf, isProgram } from '../../../../src/server/core/device-class.ts';
import { rollUp } from '../../../../src/server/features/statistics/roll-up.ts';
import { ApiApp } from '../../../harness/api-app.ts';
import { countryDatabase } from '../../../harness/country-database.ts';

describe('countries of visits', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-countries-'));
    file = join(folder, 'countries.mmdb');
    await writeFile(file, countryDatabase({ '203.0.113.0/24': 'NL', '198.51.100.0/25': 'PT', '192.0.2.8/32': 'xx' }));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('are those of the file; unknown, private and broken addresses have none', async () => {
    const countryOf = await openCountries(file);
    const addresses = [
      '203.0.113.7',
      '::ffff:203.0.113.7',
      '198.51.100.3',
      '198.51.100.200',
      '10.0.0.1',
      '192.0.2.8',
      '',
      'x',
    ];
    expect(addresses.map(countryOf)).toEqual(['NL', 'NL', 'PT', '', '', '', '', '']);
    expect((await openCountries(undefined))('203.0.113.7')).toBe('');
  });

  it('a file that is none, or not there, is refused with a sentence', async () => {
    await writeFile(join(folder, 'wrong'), 'not a database');
    for (const path of [join(folder, 'wrong'), join(folder, 'missing')])
      await expect(openCountries(path)).rejects.toThrow(/COUNTRY_DATABASE can't be read: .+GeoLite2-Country\.mmdb/);
  });

  it('are counted where there is a file', async () => {
    const api = await ApiApp.start('sqlite', { COUNTRY_DATABASE: file });
    const client = api.client();
    const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    const { id } = await client.endpoints.create({ body: { name: 'Hall', room_id: room } });
    for (const remoteAddress of ['203.0.113.7', '203.0.113.8', '198.51.100.3', '10.0.0.1'])
      await api.app.inject({
        method: 'POST',
        url: '/api/v1/statistics',
        remoteAddress,
        headers: { 'user-agent': 'Chrome/140' },
        payload: { endpoint_id: id, visit: '0123456789abcdef', begins: true },
      });
    await api.services.visitCounting.buffer.flush();
    await rollUp(api.services);
    expect((await client.statistics.read()).has_countries).toBe(true);
    const rows = await client.statistics.list({ query: { by: 'country' } });
    expect(rows.map(({ name, count }) => [name, count])).toEqual([
      ['NL', 2],
      ['PT', 1],
    ]);
    await api.close();
  });
});

describe('classes of devices', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0', 'desktop'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1', 'phone'],
    ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile Safari/537.36', 'phone'],
    ['Mozilla/5.0 (Linux; Android 15; SM-X910) Chrome/140.0 Safari/537.36', 'tablet'],
    ['Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) Mobile/15E148', 'tablet'],
    ['Mozilla/5.0 (X11; Linux x86_64; Quest 3) OculusBrowser/35.0 Chrome/128.0 VR Safari/537.36', 'headset'],
  ])('%s is one of %s', (agent, name) => {
    expect([deviceClassOf(agent), isProgram(agent)]).toEqual([name, false]);
  });

  it.each(['', 'Googlebot/2.1 (+http://www.google.com/bot.html)', 'Mozilla/5.0 (compatible; bingbot/2.0)'])(
    '"%s" is a program that nobody sits at',
    (agent) => expect(isProgram(agent)).toBe(true),
  );
});
