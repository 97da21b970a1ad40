import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { Option } from 'commander';
import type { TranslationDrafts, TranslationPlan } from '../../src/contract/entities.ts';
import { MAX_TRANSLATIONS_BYTES } from '../../src/contract/file-limits.ts';
import { type AddCommand, connected, examples, group } from '../command.ts';
import { EXIT } from '../failure.ts';
import { fileOnDisk } from '../io/read-file.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { findRoom } from '../rooms/find-room.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';

interface ExportOptions {
  language: string;
  format: 'xliff' | 'csv';
  out?: string;
}

const exportTranslations: AddCommand = (translations) => {
  translations
    .command('export')
    .description('write the texts of a room with their translations to a file for translators')
    .argument('<room>', 'ID, public path or name of a room')
    .requiredOption('--language <tag>', 'target language, such as nl or pt-BR')
    .addOption(new Option('--format <format>', 'format of the file').choices(['xliff', 'csv']).default('xliff'))
    .option('--out <file>', 'the file; standard output by default')
    .addHelpText(
      'after',
      examples(
        'enfilade translations export gallery --language nl --out gallery.nl.xlf',
        'enfilade translations export 12 --language ar --format csv --out gallery.ar.csv',
      ),
    )
    .action(
      connected(async (connection, room: string, { out, ...query }: ExportOptions) => {
        const { calls } = await import('../../src/contract/calls.ts');
        const id = await findRoom(connection.client, room);
        await writeOutput(out, await connection.download(calls.translations.export, { id }, query));
      }),
    );
};

interface ImportOptions extends Safety {
  language: string;
  json: boolean;
}

/** A text's place. Names that the room doesn't have are printed as JSON: they come from the file. */
const placeOf = ({ id, path }: { id: number | null; path: string }) => {
  const name = /^[\w.-]+$/.test(path) ? path : JSON.stringify(path);
  return `${id === null ? 'room' : `element ${id}`} ${name}`;
};

function planText({ changes, refused, counts, seq }: TranslationPlan): string {
  const shown = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
  const lines = [
    ...changes.map((change) => `  set      ${placeOf(change)}: ${shown(change.after)}`),
    ...refused.map((one) => `  refused  ${placeOf(one)}: ${one.message}`),
  ];
  const verb = seq === null ? 'to set' : 'set';
  return `${counts.changed} ${verb}, ${counts.unchanged} unchanged, ${counts.refused} refused\n${lines.map((line) => `${line}\n`).join('')}`;
}

const importTranslations: AddCommand = (translations) => {
  const command = translations
    .command('import')
    .description('set the translations in a file (XLIFF 2, CSV or XLSX); exit code 1 if some are refused')
    .argument('<room>', 'ID, public path or name of a room')
    .argument('<file>', 'the translated file')
    .requiredOption('--language <tag>', 'language of the translations')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      examples(
        'enfilade translations import gallery gallery.nl.xlf --language nl --dry-run',
        'enfilade translations import gallery gallery.nl.xlf --language nl --yes',
      ),
    )
    .action(
      connected(async ({ client }, room: string, file: string, options: ImportOptions) => {
        const { language, json } = options;
        const id = await findRoom(client, room);
        const { path } = await fileOnDisk(file, MAX_TRANSLATIONS_BYTES);
        const content = new File([await openAsBlob(path)], basename(file));
        await withConsent(options, async (isTried) => {
          const body = { language, apply: isTried ? '0' : '1' } as const;
          const plan = await client.translations.import({ params: { id }, body, files: { file: content } });
          process.stdout.write(json ? jsonText(plan) : planText(plan));
          if (plan.counts.refused > 0) process.exitCode = EXIT.wrong;
          return plan.counts.changed > 0;
        });
      }),
    );
  askFirst(command);
};

interface DraftOptions extends Safety {
  language: string;
  outdated: boolean;
  json: boolean;
}

const draftsText = ({ refused, counts, seq }: TranslationDrafts): string => {
  const lines = refused.map((one) => `  refused  ${placeOf(one)}: ${one.message}\n`);
  return seq === null && counts.refused === 0
    ? `${counts.left} to draft\n`
    : `${counts.drafted} drafted, ${counts.refused} refused, ${counts.left} left\n${lines.join('')}`;
};

const draftTranslations: AddCommand = (translations) => {
  const command = translations
    .command('draft')
    .description(
      "draft missing translations with the organization's translation webhook; exit code 1 if some don't fit",
    )
    .argument('<room>', 'ID, public path or name of a room')
    .requiredOption('--language <tag>', 'target language, such as nl or pt-BR')
    .option('--outdated', 'replace outdated translations, too', false)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      examples(
        'enfilade translations draft gallery --language nl --dry-run',
        'enfilade translations draft gallery --language nl --outdated --yes',
      ),
    )
    .action(
      connected(async ({ client }, room: string, { language, outdated, json, ...safety }: DraftOptions) => {
        const params = { id: await findRoom(client, room) };
        const draft = async (apply: boolean) => {
          const drafts = await client.translations.draft({ params, body: { language, outdated, apply } });
          process.stdout.write(json ? jsonText(drafts) : draftsText(drafts));
          if (drafts.counts.refused > 0) process.exitCode = EXIT.wrong;
          return drafts.counts;
        };
        await withConsent(safety, async (isTried) => {
          let counts = await draft(!isTried);
          // One call drafts a limited number.
          while (counts.drafted > 0 && counts.left > 0) counts = await draft(true);
          return counts.left > 0;
        });
      }),
    );
  askFirst(command);
};

export const translations = group('translations', 'translations of the texts of rooms', [
  exportTranslations,
  importTranslations,
  draftTranslations,
]);
