import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import {
  lateLighting,
  leanShaders,
  lightingModule,
  litChunks,
  quickLight,
  withoutUnusedParts,
  withoutUnusedShaders,
} from '../../vite.three.ts';

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

it('shaders lose comments and indentation, which saves 4 kB, and nothing else', () => {
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

it('shaders of materials that nothing uses are left out, which saves 0.6 kB beside the others', () => {
  const files = patched(withoutUnusedShaders());
  expect(files).toHaveLength(16);
  for (const { name, after } of files) expect(after, name).not.toMatch(/gl_|include/);
  // Neither our code nor the imported examples may create these materials.
  const sources = ['engine', 'src'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => readFileSync(join(folder, path), 'utf8')),
  );
  const addons = new Set(
    sources.flatMap((text) => [...text.matchAll(/'three\/addons\/([^']+)'/g)].map(([, path]) => path!)),
  );
  expect(addons.size).toBeGreaterThan(3);
  const imported = [...addons].map((path) => readFileSync(join(SOURCE, '../examples/jsm', path), 'utf8'));
  const material =
    /\bnew (?:Mesh(?:Phong|Toon|Matcap|Normal)|LineDashed|Shadow)Material|VSMShadowMap\b|(?:three|scene)\.background = [^nb]/;
  expect([...sources, ...imported].filter((text) => material.test(text))).toEqual([]);
  // Nor does three.js itself use their texts elsewhere.
  const names = new Set(files.map(({ name }) => name));
  const others = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js') && !path.includes('shaders'))
    .map((path) => readFileSync(join(SOURCE, path), 'utf8'))
    .join('\n');
  for (const name of names) {
    const short = /(\w+)\.glsl\.js$/.exec(name)![1];
    expect(others, name).not.toMatch(new RegExp(`ShaderChunk\\.${short}(?:_vert|_frag)?\\b`));
  }
  const all = patched(leanShaders());
  const left = all.filter(({ name }) => !names.has(name));
  const saved = sizeOf(all.map(({ after }) => after)) - sizeOf(left.map(({ after }) => after));
  expect(saved).toBeGreaterThan(500);
});

it('image-based light uses a quarter of the samples of three.js', () => {
  const [file, ...others] = patched(quickLight());
  expect(others).toEqual([]);
  expect(file!.before).toContain('const GGX_SAMPLES = 256;');
  expect(file!.after).toBe(file!.before.replace('GGX_SAMPLES = 256', 'GGX_SAMPLES = 64'));
});

it('unused parts are replaced, and have the members that three.js uses, which saves 5 kB', () => {
  const files = patched(withoutUnusedParts());
  expect(files.map(({ name }) => name.split('/').at(-1)).toSorted()).toEqual([
    'WebGLClipping.js',
    'WebGLOutput.js',
    'WebGLUniformsGroups.js',
    'WebXRController.js',
    'WebXRDepthSensing.js',
  ]);
  const stubOf = (name: string) => files.find((file) => file.name.endsWith(name))!.after;
  const renderer = readFileSync(join(SOURCE, 'renderers/WebGLRenderer.js'), 'utf8');
  for (const [name, field] of [
    ['WebGLClipping.js', 'clipping'],
    ['WebGLUniformsGroups.js', 'uniformsGroups'],
  ] as const) {
    const used = new Set(
      [...renderer.matchAll(new RegExp(`[^.]\\b${field}\\.(\\w+)\\(`, 'g'))].map(([, member]) => member!),
    );
    expect(used.size, name).toBeGreaterThan(2);
    for (const member of used) expect(stubOf(name), `${name} ${member}`).toMatch(new RegExp(`^\\s*${member}\\b`, 'm'));
  }
  // Only a renderer with another buffer type than the default has one.
  expect(renderer).toMatch(/_outputBufferType !== UnsignedByteType \) \{\s*output = new WebGLOutput\(/);
  const manager = readFileSync(join(SOURCE, 'renderers/webxr/WebXRManager.js'), 'utf8');
  const used = new Set([...manager.matchAll(/\bdepthSensing\.(\w+)/g)].map(([, member]) => member!));
  const stub = stubOf('WebXRDepthSensing.js');
  // `init` runs only with the feature "depth-sensing", which the engine doesn't request; the others once there is a texture.
  const unused = ['init', 'depthNear', 'depthFar'];
  const needed = [...used].filter((member) => !unused.includes(member));
  for (const member of needed) expect(stub, member).toMatch(new RegExp(`^\\s*${member}\\b`, 'm'));
  expect(savedBy(withoutUnusedParts())).toBeGreaterThan(4000);
});

it('shaders of lit materials load with the first such material, which saves 6 kB before that', () => {
  const chunks = new Set(litChunks());
  expect(chunks).toContain('lights_physical_fragment');
  // Unlit materials, and the shaders written here, include none of them.
  const ours = readdirSync('engine', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join('engine', path), 'utf8'));
  const unlit = ['meshbasic', 'points', 'sprite', 'cube', 'depth', 'distance'].map((name) =>
    readFileSync(join(SOURCE, `renderers/shaders/ShaderLib/${name}.glsl.js`), 'utf8'),
  );
  for (const text of [...ours, ...unlit])
    expect([...text.matchAll(/#include <(\w+)>/g)].filter(([, name]) => chunks.has(name!))).toEqual([]);
  const changed = patched(lateLighting()).filter(({ after }) => after !== undefined);
  const late = lightingModule([...chunks]);
  const emptied = changed.filter(({ after }) => /^export (?:default|const vertex =) '';/.test(after));
  // Whatever is left out at first is added later.
  for (const { name } of emptied) expect(late, name).toContain(`${name.split('shaders/')[1]}?late`);
  expect(emptied).toHaveLength(chunks.size + 2);
  expect(changed.filter(({ after }) => after.startsWith("import 'virtual:lighting'"))).toHaveLength(2);
  expect(sizeOf(emptied.map(({ before }) => before))).toBeGreaterThan(6000);
});
