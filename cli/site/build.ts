import { createWriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InvalidArgumentError } from 'commander';
import { type AddCommand, connected, examples } from '../command.ts';
import { EXIT, usageError } from '../failure.ts';
import { temporaryFolder } from '../io/temporary.ts';
import { notifyNotes } from '../report/notes.ts';
import { Progress } from '../report/progress.ts';

/** Default seconds without input after which a kiosk returns to its start. */
const IDLE_SECONDS = 120;

interface BuildOptions {
  out?: string;
  zip?: string;
  url?: string;
  kiosk?: number | true;
  includeProtected?: true;
  force?: true;
  json?: true;
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 10 && seconds <= 3600) return seconds;
  throw new InvalidArgumentError('Use a number of seconds from 10 to 3600.');
}

function originOf(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash) return url.origin;
  throw new InvalidArgumentError(
    'Use an origin such as https://www.example.com: a static site needs a host of its own.',
  );
}

export const buildSite: AddCommand = (site) => {
  site
    .command('build')
    .description('write public structures as files for any web server, or one structure as an archive')
    .argument('[paths...]', 'paths or IDs of structures; all public ones by default')
    .option('--out <folder>', 'folder of the site; an earlier build in it is replaced')
    .option('--zip <file>', 'BagIt archive of one structure, with original files, rights and checksums')
    .option('--url <origin>', "origin at which the site will be served, for canonical URLs; the server's by default")
    .option(
      '--kiosk [seconds]',
      `works offline, and restarts after this time without input (${IDLE_SECONDS})`,
      secondsOf,
    )
    .option('--include-protected', 'include protected structures; the files are open to everyone')
    .option('--force', 'write into a folder with other files, which stay')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      examples(
        'enfilade site build --out site/',
        'enfilade site build --out site/ --url https://www.example.com',
        'enfilade site build museum museum/hall --out kiosk/ --kiosk 90',
        'enfilade site build museum --zip museum.zip',
      ),
    )
    .action(
      connected(async (connection, paths: string[], options: BuildOptions) => {
        const { out, zip, kiosk, includeProtected, force = false, json = false } = options;
        if ((out === undefined) === (zip === undefined))
          throw usageError('Specify either --out or --zip.', 'Use --out for a site, --zip for an archive of one room.');
        if (zip !== undefined && paths.length !== 1)
          throw usageError('An archive contains one structure.', 'Name one structure, such as museum/hall.');
        const { calls } = await import('../../src/contract/calls.ts');
        const { findEndpoint } = await import('../endpoints/find-endpoint.ts');
        const { checkTarget, openSite, placeSite } = await import('./place-site.ts');
        const target = resolve(out ?? zip!);
        if (out !== undefined) await checkTarget(target, force);
        const ids: number[] = [];
        for (const path of paths) ids.push((await findEndpoint(connection.client, path)).id);
        await mkdir(dirname(target), { recursive: true });
        // Files are moved from here once all of them are written.
        const draft = temporaryFolder(dirname(target));
        const file = join(draft, 'site.zip');
        const stream = await connection.download(
          calls.endpoints.buildSite,
          {},
          {
            ...(ids.length > 0 && { ids: [...new Set(ids)].join(',') }),
            ...(includeProtected && { include_protected: '1' }),
            ...(kiosk !== undefined && { kiosk: String(kiosk === true ? IDLE_SECONDS : kiosk) }),
            ...(zip !== undefined && { archive: '1' }),
            ...(options.url !== undefined && { origin: originOf(options.url) }),
          },
        );
        const progress = new Progress(null, { quiet: json });
        await pipeline(progress.through(Readable.from(stream)), createWriteStream(file)).finally(() => progress.end());
        const opened = await openSite(file);
        try {
          if (zip === undefined) await placeSite(opened, join(draft, 'site'), target);
        } finally {
          opened.close();
        }
        if (zip !== undefined) await rename(file, target);
        const { pages, skipped, missing, files } = opened.manifest;
        const notes = [
          ...skipped.map(({ path, reason }) => `${path} is left out: ${reason}`),
          ...missing.map((path) => `${path} is missing on the server.`),
        ];
        notifyNotes(notes, json);
        const result = { pages, files: files.length + 1, skipped, missing };
        if (json) process.stdout.write(`${JSON.stringify(result)}\n`);
        else process.stdout.write(`${pages.length} structures, ${result.files} files: ${out ?? zip}\n`);
        if (missing.length > 0) process.exitCode = EXIT.wrong;
      }),
    );
};
