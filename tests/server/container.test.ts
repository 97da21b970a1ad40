import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSettings, settingsSchema } from '../../src/server/core/settings.ts';
import { SOURCES } from '../../src/server/pages/build-pages.ts';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const ignored = readFileSync('.dockerignore', 'utf8').split('\n').filter(Boolean);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** What follows an instruction of the Dockerfile, each time. */
const given = (instruction: string) =>
  [...dockerfile.matchAll(new RegExp(`^${instruction} (.+)$`, 'gm'))].map(([, rest]) => rest!);

/** What Compose reads of a service, as far as the tests look at it. */
interface Service {
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  image?: string;
  command?: string[];
  stop_grace_period?: string;
}

/** The compose file, read as strictly as Compose does: a key that stands there twice is an error. */
const compose: { services: Record<string, Service>; volumes: Record<string, null> } = parse(
  readFileSync('compose.yaml', 'utf8'),
  { strict: true, uniqueKeys: true, prettyErrors: true },
);
/** The environment of a service. */
const environmentOf = (name: string) => Object.entries(compose.services[name]!.environment!);

describe('the Dockerfile', () => {
  test('runs scripts and copies files that there are, and that reach it', () => {
    const run = given('RUN').flatMap((command) => [...command.matchAll(/npm run (\S+)/g)].map(([, name]) => name!));
    expect(run).toEqual(['build']);
    expect(run.filter((name) => !(name in scripts))).toEqual([]);
    const copied = given('COPY').flatMap((line) => (line.startsWith('--from') ? [] : line.split(' ').slice(0, -1)));
    expect(copied.length).toBeGreaterThan(10);
    expect(copied.filter((path) => !existsSync(path) || ignored.includes(path))).toEqual([]);
  });

  test('has everything that pages are built with, and pages are built again when any of it changes', () => {
    const imported = readFileSync('vite.config.ts', 'utf8').matchAll(/ from '\.\/(vite\.[\w.-]+)'/g);
    const wanted = ['vite.config.ts', ...[...imported].map(([, file]) => file!)];
    expect(wanted.length).toBeGreaterThan(3);
    const copied = given('COPY').flatMap((line) => line.split(' '));
    expect(wanted.filter((file) => !copied.includes(file))).toEqual([]);
    expect(wanted.filter((file) => !SOURCES.includes(file))).toEqual([]);
  });

  test('takes a Chromium that draws posters, and little else of it, when it is asked to; it is never without its sandbox unasked', () => {
    const [, last] = /^FROM \S+\n(?!.*^FROM)([\s\S]*)$/ms.exec(dockerfile)!;
    const install = /^RUN if \[ "\$WITH_CHROMIUM" = 1 \]; then \\\n([\s\S]*?)^ {2}fi$/m.exec(last!)![1]!;
    expect(install).toContain('apt-get install -y --no-install-recommends chromium');
    expect(install).toContain('rm -rf /var/lib/apt/lists/*');
    expect(last!.indexOf('WITH_CHROMIUM')).toBeLessThan(last!.indexOf('USER node'));
    expect(given('ARG')).toEqual(['WITH_CHROMIUM=0']);
    expect(dockerfile).not.toContain('CHROMIUM_SANDBOX');
    expect(readSettings({}).CHROMIUM_SANDBOX).toBe(true);
  });

  test('starts as npm does, with the Node of the project, as nobody special, and with settings that there are', () => {
    const [start] = given('CMD').map((list) => JSON.parse(list) as string[]);
    const [node, script, flag] = start!;
    expect(existsSync(node!)).toBe(true);
    expect(scripts.start).toBe(`node ${script}`);
    const started = [...readFileSync(script!, 'utf8').matchAll(/import\('\.\/([\w/-]+\.ts)'\)/g)];
    const run = started.map(([, path]) => readFileSync(join(dirname(script!), path!), 'utf8'));
    expect(run.join('\n')).toContain(`'${flag!.slice(2)}'`);
    expect(dockerfile).toMatch(/^USER node$/m);
    const settings = Object.fromEntries(
      given('ENV')[0]!
        .split(' ')
        .map((pair) => pair.split('=')),
    );
    const { NODE_ENV, MALLOC_ARENA_MAX, ...ours } = settings as Record<string, string>;
    expect([NODE_ENV, MALLOC_ARENA_MAX]).toEqual(['production', '2']);
    expect(readSettings(ours)).toMatchObject({ HOST: '0.0.0.0', PORT: 8080, DATA_DIR: given('VOLUME')[0] });
    expect(Object.keys(ours).filter((name) => !(name in settingsSchema.shape))).toEqual([]);
    expect(dockerfile).toMatch(/^HEALTHCHECK [^\n]+\\\n {2}CMD .*\/healthz/m);
  });
});

describe('compose.yaml', () => {
  test('lets nobody into NATS without the token that the server has', () => {
    const { nats } = compose.services;
    const token = /^\$\{NATS_TOKEN:\?[^}]+\}$/;
    expect(nats!.command!.at(-2)).toBe('--auth');
    expect(nats!.command!.at(-1)).toMatch(token);
    const address = Object.fromEntries(environmentOf('enfilade')).NATS_URL!;
    expect(address).toMatch(/^nats:\/\/\S/);
    expect(address.slice('nats://'.length, -'@nats:4222'.length)).toMatch(token);
  });

  test('names images by a version that does not move', () => {
    const images = Object.values(compose.services).flatMap(({ image }) => image ?? []);
    expect(images).toHaveLength(2);
    for (const image of images) expect(image).toMatch(/:\d+\.\d+(?:\.\d+)?-\w+$/);
  });

  test('names settings that there are, and leaves every secret to the environment', () => {
    const settings = environmentOf('enfilade');
    expect(settings.length).toBeGreaterThan(8);
    expect(settings.map(([name]) => name).filter((name) => !(name in settingsSchema.shape))).toEqual([]);
    const secret = /PASSWORD|SECRET|TOKEN|DATABASE_URL/;
    const secrets = [...settings, ...environmentOf('postgres')].filter(([name]) => secret.test(name));
    expect(secrets.length).toBeGreaterThan(4);
    for (const [name, value] of secrets) expect(value, name).toMatch(/^(?:postgres:\/\/enfilade:)?\$\{\w+:[-?]/);
    // With nothing but the secrets it starts: what is left empty counts as not set.
    const filled = settings.map(([name, value]) => [
      name,
      value.replace(/\$\{\w+:(?:\?[^}]*|-(.*?))\}/g, (_, other: string | undefined) => other ?? 'x'.repeat(32)),
    ]);
    // Real rooms are made there: no others are.
    expect(readSettings(Object.fromEntries(filled))).toMatchObject({ DEMO: false, SECRET_KEY: 'x'.repeat(32) });
  });

  test('gives the server the time that it takes to stop', () => {
    const { enfilade } = compose.services;
    const usual = (name: string) => Number(/:-(\d+)\}$/.exec(enfilade!.environment![name]!)![1]);
    const grace = /^(\d+)s$/.exec(enfilade!.stop_grace_period!)![1];
    expect(Number(grace)).toBeGreaterThan(usual('SHUTDOWN_DELAY') + usual('SHUTDOWN_GRACE'));
  });

  test('waits for what the server needs, which is asked whether it is well', () => {
    const { enfilade } = compose.services;
    expect(enfilade!.depends_on).toEqual({
      postgres: { condition: 'service_healthy' },
      nats: { condition: 'service_healthy' },
    });
    for (const name of Object.keys(enfilade!.depends_on!))
      expect(compose.services[name]!.healthcheck?.test[0]).toBe('CMD');
    const volumes = Object.values(compose.services).flatMap((service) => service.volumes ?? []);
    expect(volumes.map((volume) => volume.split(':')[0])).toEqual(Object.keys(compose.volumes));
  });

  test('security 83: uses no service version below the minimum in SECURITY.md', () => {
    const table = [...readFileSync('SECURITY.md', 'utf8').matchAll(/^\| (\w+) \| ([\d.]+) \| (\d{4}-\d\d-\d\d) \|$/gm)];
    const floors = new Map(table.map(([, name, floor]) => [name!, floor!]));
    for (const [, , , date] of table) expect(new Date(date!).toISOString().slice(0, 10)).toBe(date);
    const images = Object.values(compose.services).flatMap(({ image }) => image ?? []);
    expect(images.length).toBeGreaterThan(1);
    for (const image of images) {
      const [, name, version] = /^(\w+):([\d.]+)/.exec(image)!;
      const floor = floors.get(name!);
      expect(floor, name).toBeDefined();
      expect(version!.localeCompare(floor!, 'en', { numeric: true }), image).toBeGreaterThanOrEqual(0);
      // Another major version needs a look of its own.
      expect(version!.split('.')[0]).toBe(floor!.split('.')[0]);
    }
  });
});
