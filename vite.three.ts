import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Maps the exported names of a module to the files that declare them, following re-exports. */
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
 * Imports three.js names from the library's source files instead of its single entry, which references all of them. The
 * bundler can then split them: the first frame loads only what it needs, and later parts load the rest.
 */
export function threeByFile(): Plugin {
  const root = join(import.meta.dirname, 'node_modules/three/src');
  const files = exportsOf(join(root, 'Three.js'));
  return {
    name: 'three-by-file',
    apply: 'build',
    transform: {
      filter: { code: /from ['"]three['"]/ },
      handler: (code) => {
        const importOf = (entry: string) => {
          const file = files.get(entry.split(/\s+as\s+/)[0]!);
          return file && `import { ${entry} } from ${JSON.stringify(file)};`;
        };
        return code
          .replace(/import\s*\{([^}]*)\}\s*from\s*['"]three['"];?/g, (whole, names: string) => {
            const entries = names
              .split(',')
              .map((entry) => entry.trim())
              .filter(Boolean);
            const lines = entries.map(importOf);
            return lines.every(Boolean) ? lines.join(' ') : whole;
          })
          .replace(/import\s*\*\s*as\s+(\w+)\s+from\s*['"]three['"];?/g, (_, all: string) => {
            const used = new Set([...code.matchAll(new RegExp(`\\b${all}\\.(\\w+)`, 'g'))].map(([, name]) => name!));
            const names = [...used].filter((name) => files.has(name));
            // A comment may mention THREE.js.
            const missing = [...used].filter((name) => /^[A-Z]/.test(name) && !files.has(name));
            if (missing.length > 0) throw new Error(`three.js has no ${missing.join(', ')} any more.`);
            const lines = names.map((name) => importOf(`${name} as ${all}_${name}`));
            return `${lines.join(' ')} const ${all} = { ${names.map((name) => `${name}: ${all}_${name}`).join(', ')} };`;
          });
      },
    },
  };
}

/** Removes comments, indentation and empty lines from the shaders in three.js. */
export function leanShaders(): Plugin {
  return {
    name: 'lean-shaders',
    apply: 'build',
    transform: {
      filter: { id: /three[\\/]src[\\/]renderers[\\/]shaders[\\/].+\.glsl\.js(?:\?late)?$/ },
      handler: (code) =>
        code
          .replace(/\/\*(?! @__PURE__)[\s\S]*?\*\//g, '')
          .replace(/[ \t]*\/\/.*$/gm, '')
          .replace(/^[ \t]+/gm, '')
          .replace(/\n{2,}/g, '\n'),
    },
  };
}

/** Samples per direction for image-based light: in three.js, and here. */
const SAMPLES = [256, 64] as const;

/**
 * Computes image-based light with a quarter of the samples, each over a wider area. Without a GPU, this saves seconds
 * when entering a room with models.
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

/** Replacements for parts of three.js that the engine implements itself or does not use, by name. */
const UNUSED = {
  WebXRController: 'export class WebXRController {}',
  // Without DOM overlay, three.js requests no depth sensing, and calls only these members.
  WebXRDepthSensing: `export class WebXRDepthSensing {
    texture = null;
    reset() {}
    getMesh() { return null; }
    getDepthTexture() { return null; }
  }`,
  // Only shader materials with uniform buffers have groups.
  WebGLUniformsGroups: `export class WebGLUniformsGroups {
    bind() {}
    update() {}
    dispose() {}
  }`,
  // No renderer draws to a buffer of another type for effects.
  WebGLOutput: 'export class WebGLOutput {}',
  // No material and no renderer has clipping planes.
  WebGLClipping: `export class WebGLClipping {
    uniform = { value: null, needsUpdate: false };
    numPlanes = 0;
    numIntersection = 0;
    init() { return false; }
    beginShadows() {}
    endShadows() {}
    setGlobalState() {}
    setState() {}
  }`,
};

/** Removes unused parts of three.js, which would load before the first frame. */
export function withoutUnusedParts(): Plugin {
  return {
    name: 'without-unused-parts',
    apply: 'build',
    transform: {
      filter: { id: new RegExp(`three[\\\\/]src[\\\\/](?:[\\w]+[\\\\/])+(?:${Object.keys(UNUSED).join('|')})\\.js$`) },
      handler(code, id) {
        const name = /(\w+)\.js$/.exec(id)![1] as keyof typeof UNUSED;
        if (!new RegExp(`(?:class|function) ${name}\\b`).test(code)) this.error(`three.js has no ${name} any more.`);
        return UNUSED[name];
      },
    },
  };
}

/** Shaders of materials and backgrounds that neither the engine nor a glTF file uses, and the chunks that only they include. */
const UNUSED_SHADERS =
  /three[\\/]src[\\/]renderers[\\/]shaders[\\/](?:ShaderLib[\\/](?:mesh(?:phong|toon|matcap|normal)|linedashed|background(?:Cube)?|equirect|shadow|vsm)|ShaderChunk[\\/](?:lights_(?:phong|toon)_(?:pars_)?fragment|(?:gradientmap|lightprobes)_pars_fragment))\.glsl\.js(?:\?late)?$/;

/** Removes unused shaders of three.js, which would load before the first frame. */
export function withoutUnusedShaders(): Plugin {
  return {
    name: 'without-unused-shaders',
    apply: 'build',
    transform: {
      filter: { id: UNUSED_SHADERS },
      handler(code) {
        const emptied = code.replace(/`[^`]*`/g, '``');
        if (emptied === code) this.error('three.js writes its shaders in another way now.');
        return emptied;
      },
    },
  };
}

const SHADERS = join(import.meta.dirname, 'node_modules/three/src/renderers/shaders');
/** Shaders of lit materials. */
const LIT = ['meshphysical', 'meshlambert'];
/** Shaders that may draw before those are there. */
const UNLIT = ['meshbasic', 'points', 'sprite', 'cube', 'depth', 'distance'];

/** Chunks that shaders include, directly or through others. */
function includedBy(files: readonly string[]): Set<string> {
  const found = new Set<string>();
  const read = (file: string): void => {
    for (const [, name] of readFileSync(join(SHADERS, file), 'utf8').matchAll(/^[ \t]*#include <(\w+)>/gm)) {
      if (found.has(name!)) continue;
      found.add(name!);
      read(`ShaderChunk/${name}.glsl.js`);
    }
  };
  files.forEach(read);
  return found;
}

/** Names of the shader chunks that only lit materials include. */
export function litChunks(): string[] {
  const unlit = includedBy(UNLIT.map((name) => `ShaderLib/${name}.glsl.js`));
  const all = new Set(readdirSync(join(SHADERS, 'ShaderChunk')).map((name) => name.replace('.glsl.js', '')));
  return [...includedBy(LIT.map((name) => `ShaderLib/${name}.glsl.js`))].filter(
    (name) => all.has(name) && !unlit.has(name),
  );
}

/** Virtual module that adds the shaders of lit materials to those of the first frame. */
const LIGHTING_MODULE = 'virtual:lighting';

/** Source of the module that adds the shaders of lit materials. @param chunks of `litChunks` */
export function lightingModule(chunks: readonly string[]): string {
  const at = (file: string) => JSON.stringify(join(SHADERS, file));
  return `import { ShaderChunk } from ${at('ShaderChunk.js')};
    import { ShaderLib } from ${at('ShaderLib.js')};
    import { table } from ${at('DFGLUTData.js')};
    import { getDFGLUT } from ${at('DFGLUTData.js?late')};
    ${LIT.map((name) => `import * as ${name} from ${at(`ShaderLib/${name}.glsl.js?late`)};`).join('\n')}
    ${chunks.map((name) => `import ${name} from ${at(`ShaderChunk/${name}.glsl.js?late`)};`).join('\n')}
    table.get = getDFGLUT;
    Object.assign(ShaderChunk, { ${chunks.join(', ')} });
    const add = (shader, { vertex, fragment }) =>
      Object.assign(shader, { vertexShader: vertex, fragmentShader: fragment });
    add(ShaderLib.standard, meshphysical);
    add(ShaderLib.physical, meshphysical);
    add(ShaderLib.lambert, meshlambert);`;
}

/**
 * Loads the shaders of lit materials, and their lookup table, together with the first module that creates one. The first frame of a room has none.
 */
export function lateLighting(): Plugin {
  const chunks = litChunks();
  return {
    name: 'late-lighting',
    apply: 'build',
    resolveId: (id) => (id === LIGHTING_MODULE ? { id: `\0${LIGHTING_MODULE}`, moduleSideEffects: true } : undefined),
    load: (id) => (id === `\0${LIGHTING_MODULE}` ? lightingModule(chunks) : undefined),
    transform: {
      filter: {
        id: /three[\\/]src[\\/](?:materials[\\/]Mesh(?:Standard|Lambert)Material|renderers[\\/]shaders[\\/](?:DFGLUTData|Shader(?:Lib|Chunk)[\\/]\w+\.glsl))\.js$/,
      },
      handler(code, id) {
        const name = /(\w+)(?:\.glsl)?\.js$/.exec(id)![1]!;
        if (name.endsWith('Material')) return `import '${LIGHTING_MODULE}';\n${code}`;
        if (name === 'DFGLUTData')
          return 'export const table = { get: () => null };\nexport const getDFGLUT = () => table.get();';
        if (LIT.includes(name)) return "export const vertex = '';\nexport const fragment = '';";
        return chunks.includes(name) ? "export default '';" : undefined;
      },
    },
  };
}

/** Virtual module that exports the worker's URL. */
const WORKER_MODULE = 'virtual:basis-worker';

/**
 * Emits the worker that decodes KTX2 textures as a file. The library creates it from a string under the page's CSP, but
 * its code uses `eval`, which our pages forbid. A file has a CSP of its own.
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
