import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../base/clock.ts';
import type { CallContext } from '../../store/call-context.ts';
import { newMessageId, payloadOf } from '../../store/webhooks/tell-webhooks.ts';
import {
  countTests,
  type DeliveryRow,
  findDelivery,
  findWebhook,
  insertDelivery,
  updateDelivery,
} from '../../store/webhooks/webhooks-repository.ts';

const MINUTE = 60_000;
/** Messages by hand that a webhook is sent in a minute. */
const MOST_TESTS = 10;

/** Sends a webhook a message that says nothing. @throws ApiError not_found or too_many */
export async function sendTest({ db, clock, organizationId }: CallContext, id: number): Promise<DeliveryRow> {
  const row = await findWebhook(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  const now = clock.now();
  if ((await countTests(db, id, timestampOf(now - MINUTE))) >= MOST_TESTS)
    throw new ApiError('too_many', undefined, undefined, MINUTE / 1000);
  const at = timestampOf(now);
  return insertDelivery(db, {
    organization_id: organizationId,
    webhook_id: id,
    message_id: newMessageId(),
    event: 'test',
    payload: payloadOf('test', at, { webhook: row.name }),
    created_at: at,
    state: 'waiting',
    attempts: 0,
    next_at: at,
    status: null,
    answer: '',
  });
}

/** Sends a message once more, with as many tries as a new one. @throws ApiError not_found */
export async function sendAgain({ db, clock, organizationId }: CallContext, id: number): Promise<DeliveryRow> {
  const row = await findDelivery(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  const values = { state: 'waiting', attempts: 0, next_at: timestampOf(clock.now()) };
  await updateDelivery(db, id, values);
  return { ...row, ...values };
}
