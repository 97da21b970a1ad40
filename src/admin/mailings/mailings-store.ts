import { calls } from '../../contract/calls.ts';
import type { Client } from '../../contract/client.ts';
import type { EmailState, Mailing, MailingSelection } from '../../contract/entities.ts';
import { AreaStore } from '../stores/area-store.ts';

/** Number of e-mails of a mailing, and of those that need nothing more. */
export function progressOf({ counts }: Mailing): { total: number; ended: number } {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { total, ended: total - counts.waiting - counts.sending };
}

/** Names of the states of e-mails. */
export const EMAIL_STATE_NAMES: Record<EmailState, string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  sent: 'Sent',
  returned: 'Returned',
  rejected: 'Rejected',
  uncertain: 'Uncertain',
};

/** Names and colors of the states of mailings. */
export const MAILING_STATES_SHOWN: Record<Mailing['state'], [label: string, color: string]> = {
  draft: ['Draft', 'gray'],
  sending: ['Sending', 'teal'],
  paused: ['Paused', 'brass'],
  done: ['Done', 'gray'],
};

/** The selection of everybody. */
export const EVERYBODY: MailingSelection = { filter: {} };

/** Whether a selection leaves out some of a structure's tokens. */
export const isNarrow = ({ ids, filter = {} }: MailingSelection): boolean =>
  ids !== undefined || Object.values(filter).some((value) => value !== undefined);

const draftOf = (mailing: Mailing | null) => ({
  endpoint_id: mailing?.endpoint_id ?? null,
  name: mailing?.name ?? '',
  subject: mailing?.subject ?? '',
  text: mailing?.text ?? 'Dear {name},\n\nthis is your personal link:\n{link}\n',
  reply_to: mailing?.reply_to ?? '',
  language: mailing?.language ?? 'en',
  selection: mailing?.selection ?? EVERYBODY,
});
export type MailingDraft = ReturnType<typeof draftOf>;

/** Fields of a new mailing about a structure. */
export const newDraft = (about: Pick<MailingDraft, 'endpoint_id' | 'selection'>): MailingDraft => ({
  ...draftOf(null),
  ...about,
});

/** The fields that the API takes. */
const bodyOf = ({ endpoint_id, reply_to, ...fields }: MailingDraft) => ({
  ...fields,
  endpoint_id: endpoint_id!,
  reply_to: reply_to.trim() || null,
});

/** Mailings to the holders of access tokens. */
export class MailingsStore extends AreaStore<Mailing, Mailing, MailingDraft> {
  readonly #client: Client;

  constructor(client: Client) {
    super({
      list: ({ page, per_page }, signal) => client.mailings.list({ query: { page, per_page }, signal }),
      read: (id) => client.mailings.read({ params: { id } }),
      create: (draft) => client.mailings.create({ body: bodyOf(draft) }),
      update: (id, draft, updated_at) =>
        client.mailings.update({ params: { id }, body: { ...bodyOf(draft), updated_at } }),
      remove: (id) => client.mailings.remove({ params: { id } }),
      draftOf,
      schema: calls.mailings.create.body.omit({ reply_to: true }).loose(),
    });
    this.#client = client;
  }

  /** Removes mailings one by one: those that are being sent stay. */
  override async removeMany(ids: readonly number[]): Promise<string[]> {
    const problems: string[] = [];
    for (const id of ids)
      await this.#client.mailings.remove({ params: { id } }).catch((error: unknown) => {
        problems.push(error instanceof Error ? error.message : String(error));
      });
    await this.load();
    return problems;
  }
}
