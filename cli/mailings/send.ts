import { setTimeout as sleep } from 'node:timers/promises';
import { Option } from 'commander';
import type { Client } from '../../src/contract/client.ts';
import type { Mailing } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { findEndpoint } from '../endpoints/find-endpoint.ts';
import { wrongError } from '../failure.ts';
import { filesOf, readText } from '../io/read-file.ts';
import { jsonText } from '../io/write-output.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { LANGUAGES, type Language, TOKEN_STATES, type TokenState } from '../words.ts';
import { printOutcome, stateLine } from './outcome.ts';

/** Milliseconds between questions for the progress. */
const PACE = 500;

interface Options extends Safety {
  subject: string;
  bodyFile: string;
  name?: string;
  replyTo?: string;
  language: Language;
  group?: string;
  state?: TokenState;
  search?: string;
  json: boolean;
}

/** Waits until a mailing is done or paused. */
async function untilDone(client: Client, id: number, quiet: boolean): Promise<Mailing> {
  for (let shown = ''; ; await sleep(PACE)) {
    const mailing = await client.mailings.read({ params: { id } });
    const line = stateLine(mailing);
    if (!quiet && line !== shown) process.stderr.write(`${line}\n`);
    shown = line;
    if (mailing.state !== 'sending') return mailing;
  }
}

/** Rejects placeholders that don't exist, before anything is sent. */
async function refuseUnknown(text: string): Promise<void> {
  const { PLACEHOLDERS, unknownPlaceholders } = await import('../../src/contract/mailing-text.ts');
  const [inBraces, unknown] = [PLACEHOLDERS, unknownPlaceholders(text)].map((list) => list.map((word) => `{${word}}`));
  if (unknown!.length > 0)
    throw wrongError(`Unknown placeholders: ${unknown!.join(', ')}.`, `Use ${inBraces!.join(', ')}.`);
}

export const sendMailing: AddCommand = (mailings) => {
  const command = mailings
    .command('send')
    .description('e-mail the holders of access tokens, and wait; exit code 1 unless all e-mails were sent')
    .argument('<structure>', 'public path of the structure, such as museum/hall, or its ID')
    .requiredOption('--subject <text>', 'subject, with placeholders')
    .requiredOption('--body-file <file>', 'plain text, with placeholders; - for standard input')
    .option('--name <text>', 'name of the mailing; the subject by default')
    .option('--reply-to <email>', 'address for replies')
    .addOption(new Option('--language <language>', 'language of dates').choices(LANGUAGES).default('en'))
    .option('--group <group>', 'only tokens of a group')
    .addOption(new Option('--state <state>', 'only tokens in a state').choices(TOKEN_STATES))
    .option('--search <words>', 'only tokens that match a text')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      examples(
        'enfilade mailings send museum --subject "Welcome, {name}" --body-file invitation.txt --dry-run',
        'enfilade mailings send museum --subject "Reminder" --body-file reminder.txt --state unused --yes',
      ),
    )
    .action(
      connected(async ({ client }, structure: string, options: Options) => {
        const { subject, bodyFile, language, group, state, search, json } = options;
        const { id: endpoint_id } = await findEndpoint(client, structure);
        const text = await readText((await filesOf([bodyFile]))[0]!);
        await refuseUnknown(`${subject}\n${text}`);
        const filter = { ...(group && { group }), ...(state && { state }), ...(search && { search }) };
        await withConsent(options, async (isTried) => {
          if (isTried) {
            const found = await client.mailings.recipients({ body: { endpoint_id, language, filter } });
            const { count, without_address, skipped } = found;
            const missing = without_address > 0 ? `; ${without_address} without an address: ${skipped.join(', ')}` : '';
            process.stdout.write(json ? jsonText(found) : `would send to ${count}${missing}\n`);
            return count > 0;
          }
          const { id } = await client.mailings.create({
            body: {
              ...{ endpoint_id, name: options.name ?? subject.slice(0, 120), subject, text, language },
              selection: { filter },
              reply_to: options.replyTo ?? null,
            },
          });
          await client.mailings.send({ params: { id }, body: {} });
          await printOutcome(client, await untilDone(client, id, json), json);
          return true;
        });
      }),
    );
  askFirst(command);
};
