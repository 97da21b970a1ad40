import { Readable } from 'node:stream';
import type { FeedItem } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { addressSubject } from '../../core/limits/attempts.ts';
import { createToken } from '../../core/secrets/token.ts';
import { notifyModerators } from '../feeds/jobs.ts';
import { type FeedRow, insertItem, lockFeed, measureItems, moderationOf } from '../feeds/queries.ts';
import type { MediaRow } from '../media/queries.ts';
import { storeFile } from '../media/service.ts';
import { emitWebhookEvent } from '../webhooks/service.ts';
import { countShare } from './limits.ts';
import { checkMessage, checkProof, findFeedForVisitor, loadOf } from './service.ts';

/** Maximum number of messages in a local feed, and maximum total size of their images. */
const QUOTA = { items: 1000, bytes: 1024 * 1024 * 1024 } as const;
/** Maximum size in bytes of a shared image: a phone photo with room to spare. */
const MAX_SHARED_BYTES = 20 * 1024 * 1024;

const FULL = 'The message limit has been reached. Ask the organization to remove old messages.';

/** A message from a visitor. */
export interface SharedMessage {
  name: string;
  message: string;
  feed_id: number;
  /** Proof of work; messages without one may be held for approval. */
  proof?: string | undefined;
}

/** A message as its sender sees it. */
type SharedItem = FeedItem & { is_waiting: boolean };

/** @throws ApiError too_large if a feed is full */
async function refuseFull(db: Database, { id }: FeedRow): Promise<void> {
  const { items, bytes } = await measureItems(db, id);
  if (items >= QUOTA.items || bytes >= QUOTA.bytes) throw new ApiError('too_large', FULL);
}

/** Limits an upload to the size of a shared image. The rest is still received, so that the response can be sent. */
function smaller({ stream, truncated }: Upload): Omit<Upload, 'name'> {
  let bytes = 0;
  async function* kept() {
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes <= MAX_SHARED_BYTES) yield chunk;
    }
  }
  return {
    stream: Readable.from(kept(), { objectMode: false }),
    truncated: () => truncated() || bytes > MAX_SHARED_BYTES,
  };
}

/** Stores the image in the media library without an owner; null if there is none. */
async function storeImage(context: CallContext, file: Upload | undefined): Promise<MediaRow | null> {
  if (!file) return null;
  const owner = {
    organizationId: context.organizationId,
    userId: null,
    name: file.name,
    visitor: addressSubject(context.address),
    accept: 'image' as const,
  };
  return storeFile(context, owner, smaller(file)).catch((error: unknown) => {
    // Visitors aren't told about an organization's quota.
    throw error instanceof ApiError && error.code === 'quota' ? new ApiError('too_large', FULL) : error;
  });
}

/**
 * Adds a visitor's message to a local feed that a room shares to. Its text is stored as plain text. A message held for
 * approval is invisible until then, and so is its image.
 * @throws ApiError not_found, too_many, too_large, wrong_type, bad_file or invalid
 */
export async function shareMessage(
  context: CallContext,
  { name, message, feed_id, proof }: SharedMessage,
  file: Upload | undefined,
): Promise<SharedItem> {
  const { db: database, clock, organizationId, address } = context;
  if (!file && message.trim() === '')
    throw new ApiError('invalid', { message: ['Write a message, or choose an image.'] });
  const feed = await findFeedForVisitor(context, feed_id, 'shared');
  if (feed.type !== 'local') throw new ApiError('not_found');
  await countShare(context, address);
  if (proof !== undefined) await checkProof(context, feed.id, proof);
  await refuseFull(database, feed);
  const picture = await storeImage(context, file);
  const load = await loadOf(context, feed.id);
  const item = await database.transaction().execute(async (db) => {
    const row = orNotFound(await lockFeed(db, organizationId, feed.id));
    await refuseFull(db, row);
    const verdict = checkMessage(moderationOf(row), { name, message, isProven: proof !== undefined, load });
    const inserted = await insertItem(db, {
      ...verdict,
      feed_id: row.id,
      external_id: createToken(),
      name,
      // Forms use CRLF.
      message: message.replace(/\r\n?/g, '\n').trim(),
      media_id: picture?.id ?? null,
      file_url: '',
      width: null,
      height: null,
      link: '',
      created_at: timestampOf(clock.now()),
    });
    const is_waiting = verdict.state === 'waiting';
    const about = { feed: { id: row.id, name: row.name }, has_image: picture !== null, is_waiting };
    await emitWebhookEvent(db, { clock, organizationId }, 'share.received', about);
    return { ...inserted, is_waiting, ...(is_waiting && { file_url: '' }) };
  });
  if (item.is_waiting) context.later(() => notifyModerators(context, feed.id));
  return item;
}
