import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { MAX_RECIPIENTS, type MailingSelection, type Recipients } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { momentFor, type Recipient } from '../../../contract/mailing-text.ts';
import { tokenFragment } from '../../../contract/token-link.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { pathOf } from '../access-tokens/export-tokens.ts';
import { findTokens, type ListedToken, listTokens } from '../access-tokens/list-tokens.ts';
import { findEndpoint } from '../endpoints/queries.ts';
import { findOrganization } from '../organizations/queries.ts';
import { type MailingRow, selectionOf, tokensIn } from './queries.ts';

/** Tokens per query. */
const PAGE = 1000;
/** Holders without an address that are named. */
const MAX_NAMED = 20;

/** @throws ApiError invalid */
const refuseMany = (): never => {
  throw new ApiError('invalid', {
    ids: [`A mailing has at most ${MAX_RECIPIENTS.toLocaleString('en')} recipients. Narrow the selection.`],
  });
};

/** All tokens of a structure that match a filter. */
async function matching(
  context: CallContext,
  endpoint_id: number,
  filter: NonNullable<MailingSelection['filter']>,
): Promise<ListedToken[]> {
  const asking = { now: timestampOf(context.clock.now()), isGone: context.isGone };
  const tokens: ListedToken[] = [];
  for (let page = 1; ; page++) {
    const query = { ...filter, sort: 'created', endpoint_id, page, per_page: PAGE } as const;
    const { rows, total, isMore } = await listTokens(context.db, context.organizationId, query, asking);
    if (isMore || total > MAX_RECIPIENTS) refuseMany();
    tokens.push(...rows);
    if (rows.length < PAGE || filter.search) return tokens;
  }
}

/** @throws ApiError invalid */
export async function checkStructure(db: Database, organizationId: number, id: number): Promise<void> {
  if (!(await findEndpoint(db, organizationId, id)))
    throw new ApiError('invalid', { endpoint_id: ['Structure not found. Choose another one.'] });
}

/**
 * Chosen access tokens of a structure.
 * @param field where the ids were given
 * @throws ApiError not_found for ids of another organization, invalid for those of another structure
 */
export async function chosenTokens(
  { db, organizationId }: Pick<CallContext, 'db' | 'organizationId'>,
  endpointId: number,
  ids: readonly number[],
  field = 'ids',
): Promise<ListedToken[]> {
  const wanted = [...new Set(ids)];
  const tokens = await findTokens(db, organizationId, wanted);
  if (tokens.length < wanted.length) orNotFound(undefined);
  const others = tokens.filter(({ endpoint_id }) => endpoint_id !== endpointId);
  if (others.length > 0)
    throw new ApiError('invalid', {
      [field]: [`${others.length} of these tokens open another structure. A mailing is about one structure.`],
    });
  return tokens;
}

/**
 * The access tokens that a mailing is about: the given ones, or those of its own selection that still exist.
 * @param mailing the mailing, if it is stored
 * @throws ApiError not_found for ids of another organization, invalid for those of another structure
 */
export async function selectedTokens(
  context: CallContext,
  endpointId: number,
  given: MailingSelection,
  mailing: MailingRow | undefined,
): Promise<ListedToken[]> {
  const { db, organizationId } = context;
  await checkStructure(db, organizationId, endpointId);
  if (given.ids) return chosenTokens(context, endpointId, given.ids);
  const { ids, filter = {} } = given.filter || !mailing ? given : selectionOf(mailing);
  if (!ids) return matching(context, endpointId, filter);
  return (await findTokens(db, organizationId, ids)).filter(({ endpoint_id }) => endpoint_id === endpointId);
}

/** Fields of access tokens that not every version has. */
interface Described {
  note?: string | null;
  group_name?: string | null;
}

/** How texts are filled in for a mailing's recipients. */
export interface Wording {
  /** Scheme, host and port of the organization's site. */
  origin: string;
  language: string;
  /** IANA time zone. */
  zone: string;
}

/** The origin and time zone of an organization's texts. */
export async function wordingOf(
  { db, organizationId, origin }: { db: CallContext['db']; organizationId: number; origin: string },
  language: string,
): Promise<Wording> {
  const { time_zone } = await findOrganization(db, organizationId);
  return { origin, language, zone: time_zone ?? 'UTC' };
}

/** What the placeholders stand for. */
export function recipientOf(token: ListedToken & Described, { origin, language, zone }: Wording): Recipient {
  return {
    name: token.holder_name ?? '',
    link: origin + pathOf(token) + tokenFragment(token.token),
    structure: token.endpoint_name,
    valid_from: momentFor(token.valid_from, language, zone),
    valid_till: momentFor(token.valid_till, language, zone),
    group: token.group_name ?? '',
    note: token.note ?? '',
    token: token.token,
  };
}

/** A token whose holder has an address. */
export type Addressed = ListedToken & { holder_email: string };

export const hasAddress = (token: ListedToken): token is Addressed => token.holder_email !== null;

/** Who would receive a mailing, and who would not. @param mailing the mailing, if it is stored */
export async function readRecipients(
  context: CallContext,
  body: z.output<typeof calls.mailings.recipients.body>,
  mailing: MailingRow | undefined,
): Promise<Recipients> {
  const { db, organizationId } = context;
  const tokens = await selectedTokens(context, body.endpoint_id, body, mailing);
  const included = mailing ? await tokensIn(db, mailing.id) : new Set<number>();
  const addressed = tokens.filter(hasAddress);
  const without = tokens.filter((token) => !hasAddress(token));
  const already = addressed.filter(({ id }) => included.has(Number(id))).length;
  const [first] = addressed;
  const { origin } = await context.shownSite(organizationId);
  const wording = await wordingOf({ db, organizationId, origin }, body.language);
  return {
    count: addressed.length - already,
    already,
    without_address: without.length,
    skipped: without.slice(0, MAX_NAMED).map(({ holder_name, token }) => holder_name ?? token),
    first: first ? { email: first.holder_email, values: recipientOf(first, wording) } : null,
  };
}
