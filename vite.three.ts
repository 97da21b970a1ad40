import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Where each exported name of a module is declared, following re-exports. */
function exportsOf(file: string, found = new Map<string, string>()): Map<string, string> {
  const text = readFileSync(file, 'utf8');
  const at = (path: string) => join(dirname(file), path);
  for (const [, path] of text.matchAll(/^export \* from '(.+)';/gm)) exportsOf(at(path!), found);
  for (const [, names, path] of text.matchAll(/^export \{([^}]+)\} from '(.+)';/gm)) {
    for (const name of names!.split(',').map((entry) => entry.trim()))
      if (/^\w+$/.test(name)) found.set(name, at(path!));
  }
  for (const [, names] of text.matchAll(/^export \{([^}]+)\};/gm)) {
    for (const name of names!.split(',').map((entry) => entry.trim())) if (/^\w+$/.test(name)) found.set(name, file);
  }
  for (const [, name] of text.matchAll(/^export (?:const|function|class) (\w+)/gm)) found.set(name!, file);
  return found;
}

/**
 * Imports the names of three.js from the library's own files instead of its one entry, which refers to all of them.
 * The bundler then knows what the first frame needs, and what only a later part needs loads with that part.
 */
export function threeByFile(): Plugin {
  const root = join(import.meta.dirname, 'node_modules/three/src');
  const files = exportsOf(join(root, 'Three.js'));
  return {
    name: 'three-by-file',
    apply: 'build',
    transform: {
      filter: { code: /from ['"]three['"]/ },
      handler: (code) =>
        code.replace(/import\s*\{([^}]*)\}\s*from\s*['"]three['"];?/g, (whole, names: string) => {
          const entries = names
            .split(',')
            .map((entry) => entry.trim())
            .filter(Boolean);
          const lines = entries.map((entry) => {
            const file = files.get(entry.split(/\s+as\s+/)[0]!);
            return file && `import { ${entry} } from ${JSON.stringify(file)};`;
          });
          return lines.every(Boolean) ? lines.join(' ') : whole;
        }),
    },
  };
}

/** Takes comments, indents and empty lines out of the shaders that three.js carries as text. */
export function leanShaders(): Plugin {
  return {
    name: 'lean-shaders',
    apply: 'build',
    transform: {
      filter: { id: /three[\\/]src[\\/]renderers[\\/]shaders[\\/].+\.glsl\.js$/ },
      handler: (code) =>
        code
          .replace(/\/\*(?! @__PURE__)[\s\S]*?\*\//g, '')
          .replace(/[ \t]*\/\/.*$/gm, '')
          .replace(/^[ \t]+/gm, '')
          .replace(/\n{2,}/g, '\n'),
    },
  };
}

/** How often three.js looks at the picture around for each direction of what lights a room, and how often ours does. */
const SAMPLES = [256, 64] as const;

/**
 * Works out the light from all around with a quarter of the samples: each takes a wider part of the picture instead. Without a graphics
 * card that is seconds of every entrance to a room with models.
 */
export function quickLight(): Plugin {
  const [theirs, ours] = SAMPLES.map((count) => `const GGX_SAMPLES = ${count};`) as [string, string];
  return {
    name: 'quick-light',
    apply: 'build',
    transform: {
      filter: { id: /three[\\/]src[\\/]extras[\\/]PMREMGenerator\.js$/ },
      handler(code) {
        if (!code.includes(theirs)) this.error('three.js counts the samples of light in another way now.');
        return code.replace(theirs, ours);
      },
    },
  };
}

/** Numbers in a row of three.js's table of how rough surfaces reflect, and numbers of one texel. */
const TABLE = { row: 32, texel: 2 } as const;

/**
 * Writes that table as differences from the neighbors above and to the left, which compress better: it loads before the
 * first frame.
 */
export function packedTable(): Plugin {
  const { row, texel } = TABLE;
  return {
    name: 'packed-table',
    apply: 'build',
    transform: {
      filter: { id: /three[\\/]src[\\/]renderers[\\/]shaders[\\/]DFGLUTData\.js$/ },
      handler(code) {
        const packed = code.replace(/new Uint16Array\( \[([^\]]+)\] \)/, (_, list: string) => {
          const values = list.split(',').map(Number);
          const at = (index: number) => values[index] ?? 0;
          const differences = values.map(
            (value, index) => value - at(index - row) - at(index - texel) + at(index - row - texel),
          );
          const restore = `t[i] += at(i - ${row}) + at(i - ${texel}) - at(i - ${row + texel})`;
          return `(() => { const t = new Int32Array([${differences}]), at = (i) => t[i] ?? 0;
            for (let i = 0; i < t.length; i++) ${restore};
            return Uint16Array.from(t); })()`;
        });
        if (packed === code) this.error('three.js has its table in another form now.');
        return packed;
      },
    },
  };
}

/** Parts of a headset that the engine reads itself, or never asks for, by the class that three.js has for each. */
const UNUSED_XR = {
  WebXRController: 'export class WebXRController {}',
  // Without an element of the DOM, three.js asks for no depth, and this is all that it calls.
  WebXRDepthSensing: `export class WebXRDepthSensing {
    texture = null;
    reset() {}
    getMesh() { return null; }
    getDepthTexture() { return null; }
  }`,
};

/** Leaves out the parts of three.js for headsets that the engine doesn't use: they would load before the first frame. */
export function withoutUnusedXr(): Plugin {
  return {
    name: 'without-unused-xr',
    apply: 'build',
    transform: {
      filter: { id: /three[\\/]src[\\/]renderers[\\/]webxr[\\/]WebXR(?:Controller|DepthSensing)\.js$/ },
      handler(code, id) {
        const name = /(\w+)\.js$/.exec(id)![1] as keyof typeof UNUSED_XR;
        if (!code.includes(`class ${name}`)) this.error(`three.js has no ${name} any more.`);
        return UNUSED_XR[name];
      },
    },
  };
}

/** The module that gives the address of the worker below. */
const WORKER_MODULE = 'virtual:basis-worker';

/**
 * The worker that unpacks KTX2 pictures, as a file of its own. The library makes it from text when it runs, under the
 * page's policy; but its code is made by `eval`, which no page of ours allows. A file has a policy of its own.
 */
export function basisWorker(): Plugin {
  return {
    name: 'basis-worker',
    apply: 'build',
    resolveId: (id) => (id === WORKER_MODULE ? `\0${WORKER_MODULE}` : undefined),
    async load(id) {
      if (id !== `\0${WORKER_MODULE}`) return undefined;
      const { KTX2Loader } = await import('three/addons/loaders/KTX2Loader.js');
      const library = KTX2Loader as unknown as Record<string, unknown> & { BasisWorker(): void };
      const script = join(import.meta.dirname, 'node_modules/three/examples/jsm/libs/basis/basis_transcoder.js');
      const main = library.BasisWorker.toString();
      const tables = ['EngineFormat', 'EngineType', 'TranscoderFormat', 'BasisFormat'];
      const source = [
        ...tables.map((name) => `let _${name} = ${JSON.stringify(library[name])};`),
        readFileSync(script, 'utf8'),
        main.slice(main.indexOf('{') + 1, main.lastIndexOf('}')),
      ].join('\n');
      const file = this.emitFile({ type: 'asset', name: 'basis-worker.js', source });
      return `export default import.meta.ROLLUP_FILE_URL_${file};`;
    },
  };
}
