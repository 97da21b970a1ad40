import { createHash } from 'node:crypto';
import { recordChange } from '../../core/changes/record-change.ts';
import type { RowRecord } from '../../core/changes/records.ts';
import type { Kind } from '../../core/changes/revert.ts';
import type { Database } from '../../core/db/database.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { type AddedTokens, countUntouched, deleteAddedTokens } from '../access-tokens/added-tokens.ts';
import { findTokenRows, insertTokenRows, type StoredToken, updateTokenOf } from '../access-tokens/queries.ts';
import { findEndpoint } from '../endpoints/queries.ts';

const tokenCount = (count: number): string => `${count} access ${count === 1 ? 'token' : 'tokens'}`;

/** A hash of tokens that changes when one of them is used or edited. */
export const markOfTokens = (rows: readonly StoredToken[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        rows
          .toSorted((a, b) => a.id - b.id)
          .map(({ updated_at: _stamp, normal: _form, last_used_at: _use, checked_in_at: _in, ...stored }) => {
            const { holder_name, holder_email, group_name, note, ...row } = stored;
            return [
              ...Object.entries(row),
              // Omit missing fields, so that jobs from before they existed can still be undone.
              ...(holder_name || holder_email ? [[holder_name, holder_email]] : []),
              ...(group_name || note ? [{ group_name, note }] : []),
            ];
          }),
      ),
    )
    .digest('hex');

/** Restores tokens of a structure. @returns the number of restored tokens */
async function put(db: Database, endpointId: number, { action, content }: RowRecord): Promise<number> {
  if (action === 'create') return deleteAddedTokens(db, endpointId, content.added as AddedTokens);
  const rows = content.rows as StoredToken[];
  if (action === 'delete') return insertTokenRows(db, rows);
  let count = 0;
  for (const { id, updated_at, valid_from, valid_till, valid_duration, first_used_at, ...row } of rows) {
    // Restore the old stamp: a client that read the token at that stamp has its current content.
    const holder = { holder_name: row.holder_name ?? null, holder_email: row.holder_email ?? null };
    const labels = { group_name: row.group_name ?? null, note: row.note ?? null };
    // Uses and check-ins since then stay.
    const used = { last_used_at: row.last_used_at ?? undefined, checked_in_at: row.checked_in_at ?? undefined };
    const set = { valid_from, valid_till, valid_duration, first_used_at, ...used, ...holder, ...labels, updated_at };
    count += Number(await updateTokenOf(db, endpointId, id, set));
  }
  return count;
}

/** Does nothing if the structure no longer exists. */
const revertTokens: NonNullable<Kind<SignedInContext>['create']> = async ({ db, context, facts }, record) => {
  const { entity_id, name } = record;
  if (!(await findEndpoint(db, context.organizationId, entity_id))) return 0;
  const count = await put(db, entity_id, record);
  const about = { entity_id, name, after: { ...facts, access_tokens: count } };
  if (count > 0) await recordChange(db, context, { action: 'restore', entity: 'endpoint', ...about });
  return count;
};

/** Tokens of one structure that a job added (as an id range), changed or removed (as rows). */
export const endpointTokens: Kind<SignedInContext> = {
  entity: 'access_token',
  isNoted: () => true,
  changed: async ({ db }, { action, entity_id, name, mark, content }) => {
    if (action === 'update') {
      const ids = content.rows!.map(({ id }) => Number(id));
      const isSame = markOfTokens(await findTokenRows(db, ids)) === mark;
      return isSame ? undefined : `Access tokens of ${name} have been used or changed since.`;
    }
    const added = content.added as AddedTokens;
    const other = added.count - (await countUntouched(db, entity_id, added));
    return other === 0
      ? undefined
      : `${tokenCount(other)} of ${name} ${other === 1 ? 'has' : 'have'} been used, changed or removed since.`;
  },
  create: revertTokens,
  update: revertTokens,
  delete: revertTokens,
};
