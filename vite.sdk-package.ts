import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Plugin } from 'vite';

const run = promisify(execFile);
const ROOT = import.meta.dirname;
const SDK = join(ROOT, 'src/sdk');
const TSC = join(ROOT, 'node_modules/.bin/tsc');

/** Types for frameworks, which the SDK itself doesn't import. */
const FRAMEWORKS = join(ROOT, 'fixtures/embed/package');
/** Files of the package that are published as they are, with their folders. */
const COPIED = { LICENSE: ROOT, 'README.md': SDK, 'react.d.ts': FRAMEWORKS, 'vue.d.ts': FRAMEWORKS };

const manifest = (version: string) => ({
  name: '@enfilade/embed',
  version,
  description: 'Shows and controls an Enfilade room in any page: a custom element, with types.',
  license: 'MIT',
  type: 'module',
  main: './embed.js',
  types: './types/sdk/embed.d.ts',
  exports: {
    '.': { types: './types/sdk/embed.d.ts', default: './embed.js' },
    './react': { types: './react.d.ts' },
    './vue': { types: './vue.d.ts' },
    './embed.js': { types: './types/sdk/embed.d.ts', default: './embed.js' },
  },
  files: ['embed.js', 'types', ...Object.keys(COPIED)],
});

/** Writes the SDK as an npm package to `dist/sdk`, with its types: `npm pack ./dist/sdk`. */
export function sdkPackage(): Plugin {
  let dist = '';
  return {
    name: 'sdk-package',
    apply: 'build',
    configResolved: (config) => {
      dist = resolve(config.root, config.build.outDir);
    },
    writeBundle: async () => {
      const folder = join(dist, 'sdk');
      const types = join(folder, 'types');
      await mkdir(folder, { recursive: true });
      await run(process.execPath, [TSC, '-p', SDK, '--outDir', types]);
      // Packages import by the names of scripts.
      for (const name of await readdir(types, { recursive: true })) {
        if (!name.endsWith('.d.ts')) continue;
        const text = await readFile(join(types, name), 'utf8');
        await writeFile(join(types, name), text.replace(/(from '\.[^']+)\.ts'/g, "$1.js'"));
      }
      await copyFile(join(dist, 'embed.js'), join(folder, 'embed.js'));
      for (const [name, from] of Object.entries(COPIED)) await copyFile(join(from, name), join(folder, name));
      const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
      await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest(version), null, 2)}\n`);
    },
  };
}
