import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { leanShaders, quickLight, withoutUnusedXr } from '../../vite.three.ts';

const SOURCE = join(import.meta.dirname, '../../node_modules/three/src');

/** A plugin that rewrites files of three.js. */
interface Patch {
  transform: {
    filter: { id: RegExp };
    handler(this: { error(text: string): never }, code: string, id: string): string;
  };
}

const context = {
  error(text: string): never {
    throw new Error(text);
  },
};

/** The files of three.js that a plugin rewrites, as they are and as it leaves them. */
function patched(plugin: unknown): { name: string; before: string; after: string }[] {
  const { filter, handler } = (plugin as Patch).transform;
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .map((name) => join(SOURCE, name))
    .filter((path) => filter.id.test(path))
    .map((path) => {
      const before = readFileSync(path, 'utf8');
      return { name: path.slice(SOURCE.length + 1), before, after: handler.call(context, before, path) };
    });
}

const sizeOf = (texts: string[]): number => brotliCompressSync(texts.join('\n')).length;

/** Bytes that a patch saves after compression. */
function savedBy(plugin: unknown): number {
  const files = patched(plugin);
  return sizeOf(files.map(({ before }) => before)) - sizeOf(files.map(({ after }) => after));
}

it('shaders lose comments and indentation, which saves 5 kB, and nothing else', () => {
  const files = patched(leanShaders());
  expect(files.length).toBeGreaterThan(100);
  const tokensOf = (text: string) =>
    text
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/\/\/.*$/gm, '')
      .split(/\s+/)
      .filter(Boolean);
  for (const { name, before, after } of files) expect(tokensOf(after), name).toEqual(tokensOf(before));
  expect(savedBy(leanShaders())).toBeGreaterThan(5000);
});

it('image-based light uses a quarter of the samples of three.js', () => {
  const [file, ...others] = patched(quickLight());
  expect(others).toEqual([]);
  expect(file!.before).toContain('const GGX_SAMPLES = 256;');
  expect(file!.after).toBe(file!.before.replace('GGX_SAMPLES = 256', 'GGX_SAMPLES = 64'));
});

it('the unused parts of WebXR are replaced, and have the members that three.js uses, which saves 2 kB', () => {
  const files = patched(withoutUnusedXr());
  expect(files.map(({ name }) => name.split('/').at(-1)).toSorted()).toEqual([
    'WebXRController.js',
    'WebXRDepthSensing.js',
  ]);
  const manager = readFileSync(join(SOURCE, 'renderers/webxr/WebXRManager.js'), 'utf8');
  const used = new Set([...manager.matchAll(/\bdepthSensing\.(\w+)/g)].map(([, member]) => member!));
  const stub = files.find(({ name }) => name.endsWith('WebXRDepthSensing.js'))!.after;
  // `init` runs only with the feature "depth-sensing", which the engine doesn't request; the others once there is a texture.
  const unused = ['init', 'depthNear', 'depthFar'];
  const needed = [...used].filter((member) => !unused.includes(member));
  for (const member of needed) expect(stub, member).toMatch(new RegExp(`^\\s*${member}\\b`, 'm'));
  expect(savedBy(withoutUnusedXr())).toBeGreaterThan(2000);
});
