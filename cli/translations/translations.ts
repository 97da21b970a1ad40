import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { Option } from 'commander';
import type { Client } from '../../src/contract/client.ts';
import type { TranslationDrafts, TranslationPlan } from '../../src/contract/entities.ts';
import { MAX_TRANSLATIONS_BYTES } from '../../src/contract/file-limits.ts';
import { type AddCommand, connected, examples, group } from '../command.ts';
import { findEndpoint } from '../endpoints/find-endpoint.ts';
import { EXIT } from '../failure.ts';
import { fileOnDisk } from '../io/read-file.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { findRoom } from '../rooms/find-room.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';

/** A room, or with the option a structure. */
interface Target {
  structure: boolean;
}

const NAMED = 'ID, public path or name of a room; with --structure, ID or public path of a structure';
const STRUCTURE = ['--structure', 'the texts of a structure and those below it, not of a room'] as const;

/** The ID of what a command is about. */
const idOf = async (client: Client, name: string, { structure }: Target): Promise<number> =>
  structure ? (await findEndpoint(client, name)).id : findRoom(client, name);

interface ExportOptions extends Target {
  language: string;
  format: 'xliff' | 'csv';
  with: string;
  out?: string;
}

const exportTranslations: AddCommand = (translations) => {
  translations
    .command('export')
    .description('write the texts of a room or structure with their translations to a file for translators')
    .argument('<name>', NAMED)
    .option(...STRUCTURE, false)
    .requiredOption('--language <tag>', 'target language, such as nl or pt-BR')
    .addOption(new Option('--format <format>', 'format of the file').choices(['xliff', 'csv']).default('xliff'))
    .option(
      '--with <parts>',
      'texts besides those of the room: some of structures, template and files, comma-separated; "" for none',
      'structures,template',
    )
    .option('--out <file>', 'the file; standard output by default')
    .addHelpText(
      'after',
      examples(
        'enfilade translations export gallery --language nl --out gallery.nl.xlf',
        'enfilade translations export gallery --language nl --with structures,template,files',
        'enfilade translations export 12 --language ar --format csv --out gallery.ar.csv',
        'enfilade translations export museum --structure --language nl --out museum.nl.xlf',
      ),
    )
    .action(
      connected(async (connection, name: string, { out, structure, with: parts, ...query }: ExportOptions) => {
        const { calls } = await import('../../src/contract/calls.ts');
        const id = await idOf(connection.client, name, { structure });
        const file = structure
          ? connection.download(calls.endpoints.exportTranslations, { id }, query)
          : connection.download(calls.translations.export, { id }, { ...query, with: parts });
        await writeOutput(out, await file);
      }),
    );
};

interface ImportOptions extends Safety, Target {
  language: string;
  json: boolean;
}

const THINGS = { structures: 'structure', template: 'template', files: 'file' } as const;

/** A text's place. Names that the room doesn't have are printed as JSON: they come from the file. */
const placeOf = ({ id, path, part }: TranslationPlan['refused'][number] | TranslationPlan['changes'][number]) => {
  const name = /^[\w.-]+$/.test(path) ? path : JSON.stringify(path);
  return `${id === null ? 'room' : `${part ? THINGS[part] : 'element'} ${id}`} ${name}`;
};

function planText({ changes, refused, counts }: TranslationPlan, isTried: boolean): string {
  const shown = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
  const lines = [
    ...changes.map((change) => `  set      ${placeOf(change)}: ${shown(change.after)}`),
    ...refused.map((one) => `  refused  ${placeOf(one)}: ${one.message}`),
  ];
  const verb = isTried ? 'to set' : 'set';
  return `${counts.changed} ${verb}, ${counts.unchanged} unchanged, ${counts.refused} refused\n${lines.map((line) => `${line}\n`).join('')}`;
}

const importTranslations: AddCommand = (translations) => {
  const command = translations
    .command('import')
    .description('set the translations in a file (XLIFF 2, CSV or XLSX); exit code 1 if some are refused')
    .argument('<name>', NAMED)
    .argument('<file>', 'the translated file')
    .option(...STRUCTURE, false)
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
      connected(async ({ client }, name: string, file: string, options: ImportOptions) => {
        const { language, json, structure } = options;
        const id = await idOf(client, name, options);
        const { path } = await fileOnDisk(file, MAX_TRANSLATIONS_BYTES);
        const content = new File([await openAsBlob(path)], basename(file));
        await withConsent(options, async (isTried) => {
          const body = { language, apply: isTried ? '0' : '1' } as const;
          const sent = { params: { id }, body, files: { file: content } };
          const plan = await (structure ? client.endpoints.importTranslations(sent) : client.translations.import(sent));
          process.stdout.write(json ? jsonText(plan) : planText(plan, isTried));
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

export const translations = group('translations', 'translations of the texts of rooms and structures', [
  exportTranslations,
  importTranslations,
  draftTranslations,
]);
