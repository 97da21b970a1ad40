import { group } from '../command.ts';
import { eachEntry } from '../report/pages.ts';
import { listCommand } from '../resource.ts';
import { sendMailing } from './send.ts';
import { mailingStatus } from './status.ts';

export const mailings = group('mailings', 'e-mails to the holders of access tokens', [
  listCommand({
    description: 'list mailings, newest first',
    examples: ['mailings list', 'mailings list --json'],
    columns: ['id', 'name', 'structure', 'state', 'sent', 'rejected', 'uncertain', 'waiting', 'started_at'],
    each: (client) => eachEntry((page) => client.mailings.list({ query: page })),
    row: ({ counts, ...mailing }) => ({ ...mailing, ...counts }),
  }),
  sendMailing,
  mailingStatus,
]);
