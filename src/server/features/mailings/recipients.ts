import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { MAX_RECIPIENTS, type Recipients } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { momentFor, type Recipient } from '../../../contract/mailing-text.ts';
import { tokenFragment } from '../../../contract/token-link.ts';
import { timestampOf } from '../../core/clock.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { pathOf } from '../access-tokens/export-tokens.ts';
import { findTokens, type ListedToken, listTokens } from '../access-tokens/list-tokens.ts';
import { findEndpoint } from '../endpoints/queries.ts';
import { findOrganization } from '../organizations/queries.ts';
import { tokensIn } from './queries.ts';

/** Tokens per query. */
const PAGE = 1000;
/** Holders without an address that are named. */
const MAX_NAMED = 20;

/** Which access tokens of a structure are meant. */
export type Selected = z.output<typeof calls.mailings.send.body>;

/** @throws ApiError invalid */
const refuseMany = (): never => {
  throw new ApiError('invalid', {
    ids: [`A mailing has at most ${MAX_RECIPIENTS.toLocaleString('en')} recipients. Narrow the selection.`],
  });
};

/** All tokens of a structure that match a filter. */
async function matching(context: CallContext, endpoint_id: number, filter: Selected['filter']): Promise<ListedToken[]> {
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

/**
 * The selected access tokens of a structure.
 * @throws ApiError not_found for ids of another organization, invalid for those of another structure
 */
export async function selectedTokens(
  context: CallContext,
  endpointId: number,
  { ids, filter }: Selected,
): Promise<ListedToken[]> {
  const { db, organizationId } = context;
  if (!(await findEndpoint(db, organizationId, endpointId)))
    throw new ApiError('invalid', { endpoint_id: ['Structure not found. Choose another one.'] });
  if (!ids) return matching(context, endpointId, filter);
  const wanted = [...new Set(ids)];
  const tokens = await findTokens(db, organizationId, wanted);
  if (tokens.length < wanted.length) orNotFound(undefined);
  const others = tokens.filter(({ endpoint_id }) => endpoint_id !== endpointId);
  if (others.length > 0)
    throw new ApiError('invalid', {
      ids: [`${others.length} of these tokens open another structure. A mailing is about one structure.`],
    });
  return tokens;
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

/** Who would receive a mailing, and who would not. */
export async function readRecipients(
  context: CallContext,
  body: z.output<typeof calls.mailings.recipients.body>,
): Promise<Recipients> {
  const { db, organizationId } = context;
  const tokens = await selectedTokens(context, body.endpoint_id, body);
  const included = body.mailing_id === undefined ? new Set<number>() : await tokensIn(db, body.mailing_id);
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
