import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSettings, settingsSchema } from '../../src/server/settings.ts';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const compose = readFileSync('compose.yaml', 'utf8');
const ignored = readFileSync('.dockerignore', 'utf8').split('\n').filter(Boolean);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** What follows an instruction of the Dockerfile, each time. */
const given = (instruction: string) =>
  [...dockerfile.matchAll(new RegExp(`^${instruction} (.+)$`, 'gm'))].map(([, rest]) => rest!);

/** The lines of a service in the compose file. */
const serviceOf = (name: string) => new RegExp(`^  ${name}:\\n((?: {4}.*\\n|\\n)+)`, 'm').exec(compose)![1]!;
/** The environment of a service. */
const environmentOf = (name: string) => {
  const block = /^ {4}environment:\n((?: {6}.+\n)+)/m.exec(serviceOf(name))![1]!;
  return [...block.matchAll(/^ {6}(\w+): (.+)$/gm)].map(([, key, value]): [string, string] => [key!, value!]);
};

describe('the Dockerfile', () => {
  test('runs scripts and copies files that there are, and that reach it', () => {
    const run = given('RUN').flatMap((command) => [...command.matchAll(/npm run (\S+)/g)].map(([, name]) => name!));
    expect(run).toEqual(['build']);
    expect(run.filter((name) => !(name in scripts))).toEqual([]);
    const copied = given('COPY').flatMap((line) => (line.startsWith('--from') ? [] : line.split(' ').slice(0, -1)));
    expect(copied.length).toBeGreaterThan(10);
    expect(copied.filter((path) => !existsSync(path) || ignored.includes(path))).toEqual([]);
  });

  test('starts as npm does, with the Node of the project, as nobody special, and with settings that there are', () => {
    const [start] = given('CMD').map((list) => JSON.parse(list) as string[]);
    const [node, script, flag] = start!;
    expect(existsSync(node!)).toBe(true);
    expect(scripts.start).toBe(`node ${script}`);
    const [, run] = /import\('\.\/([\w-]+\.ts)'\)/.exec(readFileSync(script!, 'utf8'))!;
    expect(readFileSync(join(dirname(script!), run!), 'utf8')).toContain(`'${flag!.slice(2)}'`);
    expect(dockerfile).toMatch(/^USER node$/m);
    const settings = Object.fromEntries(
      given('ENV')[0]!
        .split(' ')
        .map((pair) => pair.split('=')),
    );
    const { NODE_ENV, ...ours } = settings as Record<string, string>;
    expect(NODE_ENV).toBe('production');
    expect(readSettings(ours)).toMatchObject({ HOST: '0.0.0.0', PORT: 8080, DATA_DIR: given('VOLUME')[0] });
    expect(Object.keys(ours).filter((name) => !(name in settingsSchema.shape))).toEqual([]);
    expect(dockerfile).toMatch(/^HEALTHCHECK [^\n]+\\\n {2}CMD .*\/healthz/m);
  });
});

describe('compose.yaml', () => {
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
    expect(() => readSettings(Object.fromEntries(filled))).not.toThrow();
  });

  test('waits for what the server needs, which is asked whether it is well', () => {
    const needed = [...serviceOf('enfilade').matchAll(/^ {6}(\w+):\n {8}condition: service_healthy$/gm)];
    expect(needed.map(([, name]) => name)).toEqual(['postgres', 'nats']);
    for (const [, name] of needed) expect(serviceOf(name!)).toContain('healthcheck:');
    const volumes = [...compose.matchAll(/^ {6}- (\w+):\//gm)].map(([, name]) => name!);
    expect(compose.split(/^volumes:$/m)[1]!.match(/\w+/g)).toEqual(volumes);
  });
});
