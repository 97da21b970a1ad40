import { type AddCommand, examples } from '../command.ts';
import { EXIT } from '../failure.ts';
import { jsonText } from '../io/write-output.ts';
import { addContentOptions, type Contents, inBoth, kindsOf } from './options.ts';

const isUrl = (text: string): boolean => /^https?:\/\//.test(text);

export const diffOrganizations: AddCommand = (organizations) => {
  const command = organizations
    .command('diff')
    .description('describe how an organization differs from an export of it or another one; ends with 1 when it does')
    .argument('<export>', 'file or folder')
    .argument('[other]', 'another export, or the URL of a server; the connected server by default')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      examples(
        'enfilade org diff museum.zip',
        'enfilade org diff monday.zip tuesday.zip',
        'enfilade org diff museum.zip https://rooms.example.com --skip settings users webhooks',
        'enfilade org diff museum.zip --json',
      ),
    )
    .action(async (file: string, other: string | undefined, { json, ...contents }: Contents & { json: boolean }) => {
      const { openArchive } = await import('./read-archive.ts');
      const { compareSnapshots } = await import('./compare.ts');
      const { describeChanges } = await import('./describe.ts');
      const { withoutOriginals } = await import('./snapshot.ts');
      const kinds = await kindsOf(contents);
      const isServer = other === undefined || isUrl(other);
      const archive = await openArchive(file);
      try {
        const readOther = async () => {
          if (!isServer) return openArchive(other);
          const { connect } = await import('../connection.ts');
          const { readServer } = await import('./read-server.ts');
          return readServer(connect(other), inBoth(kinds, archive.kinds), archive.hasOriginals);
        };
        const second = await readOther();
        const chosen = { ...archive, kinds: inBoth(kinds, archive.kinds) };
        const isAlike = archive.hasOriginals === second.hasOriginals;
        const comparison = await (isAlike
          ? compareSnapshots(chosen, second)
          : compareSnapshots(withoutOriginals(chosen), withoutOriginals(second)));
        const names = isServer ? (['export', 'organization'] as const) : (['first export', 'second export'] as const);
        const described = await describeChanges(comparison, names);
        if ('close' in second) second.close();
        const { clashes, unchanged } = comparison;
        if (json)
          process.stdout.write(jsonText({ equal: described.length === 0, unchanged, clashes, differences: described }));
        else {
          for (const clash of clashes) process.stderr.write(`enfilade: ${clash}. They were compared in order.\n`);
          for (const { text, details } of described)
            process.stdout.write([text, ...details.map((line) => `  ${line}`), ''].join('\n'));
          if (described.length === 0) process.stdout.write(`No differences (${unchanged} entries compared).\n`);
        }
        if (described.length > 0) process.exitCode = EXIT.wrong;
      } finally {
        archive.close();
      }
    });
  addContentOptions(command);
};
