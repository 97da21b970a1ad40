import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSettings, SettingsError, settingsSchema } from '../../../src/server/core/settings.ts';

/** The table of settings as the page of the server shows it. */
function settingsTable(): string {
  const rows = Object.entries(settingsSchema.shape).map(([name, field]) => {
    const { data } = field.safeParse(undefined);
    const shown = typeof data === 'boolean' ? Number(data) : data;
    const isSet = shown !== undefined && shown !== '' && !Array.isArray(shown);
    return `| \`${name}\` | ${isSet ? `\`${shown}\`` : ''} | ${field.description} |`;
  });
  return ['| name | default | what it is |', '| --- | --- | --- |', ...rows].join('\n');
}

describe('settings', () => {
  test('the page of the server lists every one of them, with its default', async () => {
    const readme = await readFile('src/server/README.md', 'utf8');
    const listed = /<!-- settings -->\n([\s\S]*?)\n<!-- \/settings -->/.exec(readme)?.[1];
    expect(listed).toBe(settingsTable());
  });

  test('without any, the defaults hold; an empty one counts as not set', () => {
    expect(readSettings({ PORT: '' })).toMatchObject({ PORT: 8080, HOST: 'localhost', DATA_DIR: 'data', DEMO: true });
  });

  test.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['PUBLIC_URL', 'rooms.example.com'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['ADMIN_EMAIL', 'nobody'],
    ['ADMIN_PASSWORD', 'short'],
    ['DEMO', 'yes'],
    ['MEDIA_MAX_MB', '0'],
    ['METRICS_TOKEN', 'short'],
    ['LOG_LEVEL', 'loud'],
    ['TRUSTED_PROXIES', 'foo'],
    ['TRUSTED_PROXIES', '10.0.0.1, 10.0.0.0/33'],
    ['SHUTDOWN_GRACE', '0'],
  ])('a wrong %s stops the start with a sentence that names it', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(SettingsError);
    expect(() => readSettings({ [name]: value })).toThrow(
      new RegExp(`^${name} .+ Correct the setting and start again\\.$`),
    );
  });

  test('a number out of its bounds is told the bounds, one that is none that it is none', () => {
    expect(() => readSettings({ MEDIA_MAX_MB: '-3' })).toThrow('MEDIA_MAX_MB must be from 1 to 10000.');
    expect(() => readSettings({ MEDIA_MAX_MB: '10001' })).toThrow('MEDIA_MAX_MB must be from 1 to 10000.');
    expect(() => readSettings({ MEDIA_MAX_MB: 'much' })).toThrow('MEDIA_MAX_MB must be a number.');
    expect(() => readSettings({ PORT: '70000' })).toThrow('PORT must be from 0 to 65535.');
  });

  test('proxies are addresses, networks and the names that stand for networks', () => {
    const TRUSTED_PROXIES = '10.0.0.7, 10.0.0.0/8, ::1, fd00::/8, loopback';
    expect(readSettings({ TRUSTED_PROXIES }).TRUSTED_PROXIES).toHaveLength(5);
  });

  test('a setting may stand in a file, which is read without the line break at its end', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-settings-'));
    const SECRET_KEY_FILE = join(folder, 'key');
    await writeFile(SECRET_KEY_FILE, `${'k'.repeat(32)}\n`);
    expect(readSettings({ SECRET_KEY_FILE }).SECRET_KEY).toBe('k'.repeat(32));
    expect(() => readSettings({ SECRET_KEY_FILE, SECRET_KEY: 'k'.repeat(32) })).toThrow(/SECRET_KEY_FILE are both set/);
    expect(() => readSettings({ SECRET_KEY_FILE: join(folder, 'none') })).toThrow(/^SECRET_KEY_FILE can't be read/);
    await rm(folder, { recursive: true });
  });
});
