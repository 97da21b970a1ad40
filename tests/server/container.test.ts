import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  environment?: Record<string, string | number>;
  secrets?: string[];
  ports?: string[];
  networks?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  image?: string;
  command?: string[];
  stop_grace_period?: string;
}

/** The compose file, read as strictly as Compose does: a key that stands there twice is an error. */
const compose: {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  networks: Record<string, object | null>;
  secrets: Record<string, { file: string }>;
} = parse(readFileSync('compose.yaml', 'utf8'), { strict: true, uniqueKeys: true, prettyErrors: true, merge: true });
/** The environment of a service. */
const environmentOf = (name: string) => Object.entries(compose.services[name]!.environment!);

describe('the Dockerfile', () => {
  test('runs scripts and copies files that there are, and that reach it', () => {
    const run = given('RUN').flatMap((command) => [...command.matchAll(/npm run (\S+)/g)].map(([, name]) => name!));
    expect(run).toEqual(['build']);
    expect(run.filter((name) => !(name in scripts))).toEqual([]);
    const copied = given('COPY').flatMap((line) => (line.startsWith('--from') ? [] : line.split(' ').slice(0, -1)));
    expect(copied.length).toBeGreaterThanOrEqual(10);
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

  test('installs Chromium or ffmpeg only on request, and Chromium keeps its sandbox', () => {
    const [, last] = /^FROM \S+\n(?!.*^FROM)([\s\S]*)$/ms.exec(dockerfile)!;
    for (const [option, program] of [
      ['WITH_CHROMIUM', 'chromium'],
      ['WITH_FFMPEG', 'ffmpeg'],
    ] as const) {
      const pattern = new RegExp(String.raw`^RUN if \[ "\$${option}" = 1 \]; then \\\n([\s\S]*?)^ {2}fi$`, 'm');
      const install = pattern.exec(last!)![1]!;
      expect(install).toContain(`apt-get install -y --no-install-recommends ${program}`);
      expect(install).toContain('rm -rf /var/lib/apt/lists/*');
      expect(last!.indexOf(option)).toBeLessThan(last!.indexOf('USER node'));
    }
    expect(given('ARG')).toEqual(['WITH_CHROMIUM=0', 'WITH_FFMPEG=0']);
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

/** Settings whose values let somebody in. */
const SECRET = /PASSWORD|SECRET|TOKEN|API_KEY|^(?:DATABASE|NATS|SMTP)_URL$/;

describe('compose.yaml', () => {
  let secrets: string;
  beforeAll(async () => {
    secrets = await mkdtemp(join(tmpdir(), 'enfilade-secrets-'));
    await promisify(execFile)('sh', ['deploy/make-secrets.sh', secrets]);
  });
  afterAll(() => rm(secrets, { recursive: true }));

  test('names images by a version that does not move', () => {
    const images = Object.values(compose.services).flatMap(({ image }) => image ?? []);
    expect(images).toHaveLength(3);
    for (const image of images) expect(image).toMatch(/:\d+\.\d+(?:\.\d+)?-\w+$/);
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: { node: string } };
    expect(given('FROM').slice(0, 2)).toEqual(
      ['build', 'packages'].map((stage) => `node:${dependencies.node}-bookworm-slim AS ${stage}`),
    );
  });

  test('passes every setting of the server, and every secret in a file', () => {
    const passed = environmentOf('enfilade').map(([name]) => name);
    const wanted = Object.keys(settingsSchema.shape).map((name) => (SECRET.test(name) ? `${name}_FILE` : name));
    expect(passed.filter((name) => SECRET.test(name)).length).toBeGreaterThanOrEqual(10);
    expect(passed.toSorted()).toEqual(wanted.toSorted());
    for (const [name, value] of environmentOf('enfilade'))
      if (name.endsWith('_FILE')) expect(value).toBe(`/run/secrets/${name.slice(0, -'_FILE'.length).toLowerCase()}`);
  });

  test('mounts the secrets that its script creates, each where it is read', async () => {
    const made = await readdir(secrets);
    expect(Object.keys(compose.secrets).toSorted()).toEqual(made.filter((name) => name !== 'nats_token').toSorted());
    for (const [name, { file }] of Object.entries(compose.secrets)) expect(file).toBe(`./deploy/secrets/${name}`);
    for (const service of Object.values(compose.services)) {
      const used = JSON.stringify([service.environment ?? {}, service.command ?? []]).match(
        /(?<=\/run\/secrets\/)[\w.]+/g,
      );
      expect((service.secrets ?? []).toSorted()).toEqual([...new Set(used ?? [])].toSorted());
    }
    const contentOf = (name: string) => readFileSync(join(secrets, name), 'utf8');
    expect(contentOf('nats_url')).toBe(`nats://${contentOf('nats_token')}@nats:4222`);
    expect(contentOf('nats.conf')).toContain(`authorization { token: "${contentOf('nats_token')}" }`);
    expect(contentOf('database_url')).toContain(`:${contentOf('postgres_password')}@postgres:5432/`);
    expect(((await stat(secrets)).mode & 0o777).toString(8)).toBe('700');
    // A second run keeps existing secrets.
    const before = contentOf('secret_key');
    await writeFile(join(secrets, 'smtp_url'), 'smtps://mail.example.com');
    await promisify(execFile)('sh', ['deploy/make-secrets.sh', secrets]);
    expect([contentOf('secret_key'), contentOf('smtp_url')]).toEqual([before, 'smtps://mail.example.com']);
  });

  test('starts with only those secrets and a host; empty secrets count as not set', () => {
    const filled = environmentOf('enfilade').map(([name, value]) => [
      name,
      String(value)
        .replace('/run/secrets', secrets)
        .replace(/\$\{\w+:(?:\?[^}]*|-(.*?))\}/g, (_, other: string | undefined) => other ?? 'rooms.example.com'),
    ]);
    // Real rooms are made there: no demo.
    expect(readSettings(Object.fromEntries(filled))).toMatchObject({
      DEMO: false,
      PUBLIC_URL: 'https://rooms.example.com',
      SECRET_KEY: readFileSync(join(secrets, 'secret_key'), 'utf8'),
    });
  });

  test('gives every service no more than it needs', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.anything(),
        pids_limit: expect.any(Number),
      });
      expect(Object.keys(service.ports ?? {}).length > 0, name).toBe(name === 'caddy');
      // The image of the server has its own check.
      if (name !== 'enfilade') expect(service.healthcheck?.test[0], name).toBe('CMD');
    }
    expect(compose.networks.inside).toEqual({ internal: true });
    expect(compose.services.postgres!.networks).toEqual(['inside']);
    expect(compose.services.nats!.networks).toEqual(['inside']);
  });

  test('gives the server the time that it takes to stop', () => {
    const { enfilade } = compose.services;
    const usual = (name: string) => Number(/:-(\d+)\}$/.exec(String(enfilade!.environment![name]))![1]);
    const grace = /^(\d+)s$/.exec(enfilade!.stop_grace_period!)![1];
    expect(Number(grace)).toBeGreaterThan(usual('SHUTDOWN_DELAY') + usual('SHUTDOWN_GRACE'));
  });

  test('waits for what the server needs', () => {
    const { enfilade } = compose.services;
    expect(enfilade!.depends_on).toEqual({
      postgres: { condition: 'service_healthy' },
      nats: { condition: 'service_healthy' },
    });
    const volumes = Object.values(compose.services).flatMap((service) => service.volumes ?? []);
    const named = volumes.map((volume) => volume.split(':')[0]!).filter((name) => !name.startsWith('.'));
    expect(named.toSorted()).toEqual(Object.keys(compose.volumes));
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
