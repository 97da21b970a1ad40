import { join } from 'node:path';
import { build, type Plugin, type Rollup } from 'vite';

/** The page of rooms. */
const PAGE = 'viewer/index.html';
/** What the build writes into a page: its entry first, then what that needs. */
const SCRIPTS =
  /\s*<(?:script type="module" crossorigin src="([^"]+)"><\/script|link rel="modulepreload" crossorigin href="([^"]+)")>/g;
const STYLES = /<link rel="stylesheet" crossorigin href="\/([^"]+)">/g;
const ENTRY = join(import.meta.dirname, 'src/viewer/first-picture/first-picture.ts');

/** A script as one piece that can stand in a page. */
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
 * Lets the page of rooms paint the first picture by itself: its styles stand in the page, and so does the painter,
 * which starts the scripts when they are not in its way. Until then they are loaded, not run.
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
