import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { readSettings, SettingsError, settingsSchema } from '../../src/server/settings.ts';

/** The table of settings as the README shows it. */
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
  test('the README lists every one of them, with its default', async () => {
    const readme = await readFile('README.md', 'utf8');
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
  ])('a wrong %s stops the start with a sentence that names it', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(SettingsError);
    expect(() => readSettings({ [name]: value })).toThrow(
      new RegExp(`^${name} .+ Correct the setting and start again\\.$`),
    );
  });
});
