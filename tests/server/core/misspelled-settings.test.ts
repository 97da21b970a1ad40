import { describe, expect, test } from 'vitest';
import { misspelledSettings } from '../../../src/server/core/misspelled-settings.ts';
import { settingsSchema } from '../../../src/server/core/settings.ts';

describe('misspelled settings', () => {
  test.each([
    ['DATABASE_URI', 'DATABASE_URL'],
    ['PUBLIC-URL', undefined],
    ['PUBLICURL', 'PUBLIC_URL'],
    ['public_url', 'PUBLIC_URL'],
    ['SMPT_URL', 'SMTP_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['TRUSTED_PROXY', undefined],
    ['TRUSTED_PROXIE', 'TRUSTED_PROXIES'],
    ['S3_SECRET_KEY', 'S3_SECRET_ACCESS_KEY'],
    ['SECRET_KEYS_FILE', 'SECRET_KEY_FILE'],
    ['ENFILADE_PORT', 'PORT'],
    ['ENFILADE_URL', undefined],
    ['HOSTNAME', undefined],
    ['HOME', undefined],
    ['MAIL', undefined],
    ['REDIS_URL', undefined],
    ['PORT_FILE', undefined],
    ['POSTGRES_PASSWORD', undefined],
  ])('%s means %s', (variable, meant) => {
    const sentence = `${variable} is no setting and has no effect. Did you mean ${meant}?`;
    expect(misspelledSettings({ [variable]: 'x' })).toEqual(meant ? [sentence] : []);
  });

  test('every setting is known, in a file too', () => {
    const names = Object.keys(settingsSchema.shape).flatMap((name) => [name, `${name}_FILE`]);
    expect(misspelledSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
  });

  test('variables that Kubernetes sets for a service named enfilade are no settings', () => {
    expect(misspelledSettings({ ENFILADE_PORT: 'tcp://10.0.0.1:80' })).toEqual([]);
  });
});
