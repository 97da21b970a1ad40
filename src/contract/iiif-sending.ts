import type { Client } from './client.ts';
import { type IiifImport, type IiifSource, type IiifWork, MAX_STORED_WORKS } from './entities.ts';

/** A manifest by its URL, or its content. */
export type IiifOrigin = { url: string } | { manifest: string };

/** Maximum characters of works in one request, which may take three bytes each. */
const MAX_REQUEST = 2_000_000;

/** The works in batches for one request each, with their ranks. */
function* batchesOf(works: readonly IiifWork[], isStored: (rank: number) => boolean): Generator<[number, IiifWork][]> {
  let batch: [number, IiifWork][] = [];
  let length = 0;
  for (const [rank, work] of works.entries()) {
    if (isStored(rank)) continue;
    const own = JSON.stringify(work).length;
    if (batch.length === MAX_STORED_WORKS || (batch.length > 0 && length + own > MAX_REQUEST)) {
      yield batch;
      [batch, length] = [[], 0];
    }
    batch.push([rank, work]);
    length += own;
  }
  if (batch.length > 0) yield batch;
}

/** Options of storing files. */
interface Storing {
  /** Called before each batch, and at the end. */
  onWork(done: number, all: number): void;
  /** Media IDs by rank: those of earlier attempts, to which new ones are added. */
  stored: Map<number, number>;
  signal?: AbortSignal;
}

/**
 * Lets the server download the files of works. One that fails doesn't stop the others.
 * @returns how files differ from the manifest, and which ones failed
 * @throws ApiError quota
 */
export async function storeFiles(
  client: Client,
  works: readonly IiifWork[],
  { onWork, stored, signal }: Storing,
): Promise<string[]> {
  const remarks: string[] = [];
  for (const batch of batchesOf(works, (rank) => stored.has(rank))) {
    signal?.throwIfAborted();
    onWork(batch[0]![0], works.length);
    const files = await client.iiif.store({ body: { works: batch.map(([, work]) => work) } });
    for (const [nth, { file_id, remarks: own }] of files.entries()) {
      remarks.push(...own);
      if (file_id !== null) stored.set(batch[nth]![0], file_id);
    }
  }
  onWork(works.length, works.length);
  return remarks;
}

/** A space to create. */
type NewSpace = Pick<Parameters<Client['iiif']['hang']>[0]['body'], 'name' | 'endpoint'>;

/**
 * Creates the space from stored files, in the order of the manifest.
 * @throws ApiError with the fields
 */
export const hangFiles = (
  client: Client,
  { language, languages }: Pick<IiifSource, 'language' | 'languages'>,
  space: NewSpace,
  stored: ReadonlyMap<number, number>,
): Promise<IiifImport> =>
  client.iiif.hang({
    body: { ...space, language, languages, files: [...stored].toSorted(([a], [b]) => a - b).map(([, id]) => id) },
    idempotencyKey: crypto.randomUUID(),
  });
