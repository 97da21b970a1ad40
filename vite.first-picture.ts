import { join } from 'node:path';
import { build, type Plugin, type Rollup } from 'vite';

/** The viewer's page. */
const PAGE = 'viewer/index.html';
/** The tags that the build writes into a page: the entry first, then its preloads. */
const SCRIPTS =
  /\s*<(?:script type="module" crossorigin src="([^"]+)"><\/script|link rel="modulepreload" crossorigin href="([^"]+)")>/g;
const STYLES = /<link rel="stylesheet" crossorigin href="\/([^"]+)">/g;
const ENTRY = join(import.meta.dirname, 'src/viewer/first-picture/first-picture.ts');

/** Bundles a script for inlining. */
async function inOnePiece(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, target: 'es2022', minify: true, lib: { entry, formats: ['iife'], name: 'firstPicture' } },
  });
  const [{ output }] = built as Rollup.RollupOutput[] as [Rollup.RollupOutput];
  return output[0].code.trim().replaceAll('</script', '<\\/script');
}

/**
 * Inlines the styles and the painter of the first picture into the viewer's page. The painter starts the other scripts
 * after painting; until then, they are only preloaded.
 */
export function firstPicture(): Plugin {
  return {
    name: 'first-picture',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: async (html, { bundle, path }) => {
        if (!path.endsWith(PAGE)) return html;
        const painter = await inOnePiece(ENTRY);
        const styleOf = (name: string) => {
          const file = bundle?.[name];
          if (file?.type !== 'asset') throw new Error(`The build has no ${name}.`);
          return String(file.source).trim();
        };
        const scripts: string[] = [];
        const page = html.replace(SCRIPTS, (_, entry, needed) => {
          scripts.push(entry ?? needed);
          return '';
        });
        return page
          .replace(STYLES, (_, name) => `<style>${styleOf(name)}</style>`)
          .replace('<!--first-picture-->', () => `<script data-scripts="${scripts.join(' ')}">${painter}</script>`);
      },
    },
  };
}
