import type { Client } from './client.ts';
import type { ImportedTourPlace, PanoramaSource, TourConfigs, TourImportPlan } from './entities.ts';
import { ApiError } from './errors.ts';
import { imagesOf, type TourFiles, TourPaths } from './tour-files.ts';

/** A place that can't be imported. */
export interface FailedPlace {
  key: string;
  reason: string;
}

/** A plan, and the places whose images are missing. */
export interface PlannedImport {
  plan: TourImportPlan;
  missing: FailedPlace[];
}

/** Maximum number of missing files that a message names. */
const MAX_NAMED = 3;

/** The places whose images are not among the files. */
function missingPlaces(places: readonly ImportedTourPlace[], files: TourFiles): FailedPlace[] {
  const paths = new TourPaths(files);
  return places.flatMap(({ key, source }) => {
    const missing = imagesOf(source).filter((path) => paths.find(path) === undefined);
    if (missing.length === 0) return [];
    const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : '';
    const reason = `${missing.slice(0, MAX_NAMED).join(', ')}${more} ${missing.length === 1 ? 'is' : 'are'} missing`;
    return [{ key, reason }];
  });
}

/** Fields of a new tour. */
type NewTour = Omit<Parameters<Client['tours']['importTour']>[0]['body'], 'configs' | 'panoramas' | 'skip' | 'dry_run'>;

/**
 * Plans the import of a tour; nothing is uploaded. Places whose images are missing are left out.
 * @throws ApiError if the configuration can't be read, or if no place is left
 */
export async function planImport(
  client: Client,
  files: TourFiles,
  configs: TourConfigs,
  tour: NewTour,
): Promise<PlannedImport> {
  const plan = await client.tours.importTour({ body: { ...tour, configs, dry_run: true } });
  const missing = missingPlaces(plan.places, files);
  if (missing.length === 0) return { plan, missing };
  if (missing.length === plan.places.length)
    throw new ApiError('invalid', { files: missing.slice(0, MAX_NAMED).map(({ reason }) => `${reason}.`) });
  const skip = missing.map(({ key }) => key);
  return { plan: await client.tours.importTour({ body: { ...tour, configs, skip, dry_run: true } }), missing };
}

const baseName = (path: string) => path.split('/').at(-1)!;
const endingOf = (path: string) => /\.\w{1,5}$/.exec(path)?.[0] ?? '.jpg';

/** An archive of images under new names; they are compressed already. */
async function archiveOf(images: ReadonlyMap<string, Blob>): Promise<File> {
  const { zipSync } = await import('fflate');
  const entries: Record<string, Uint8Array> = {};
  for (const [name, blob] of images) entries[name] = new Uint8Array(await blob.arrayBuffer());
  return new File([new Uint8Array(zipSync(entries, { level: 0 }))], 'panorama.zip');
}

/** Uploads the panorama of a place. @returns its media ID */
async function sendPanorama(client: Client, files: TourFiles, key: string, source: PanoramaSource): Promise<number> {
  const known = new TourPaths(files);
  const blobs = await files.read(imagesOf(source).map((path) => known.find(path)!));
  if (source.kind === 'image') {
    const file = new File([blobs[0]!], baseName(source.file));
    return (await client.media.upload({ body: { accept: 'image' }, files: { file } })).id;
  }
  const name = `${key.replace(/[^\p{L}\p{N} _.-]+/gu, '-').slice(0, 100)}.jpg`;
  if (source.kind === 'part') {
    const file = await archiveOf(new Map([[`image${endingOf(source.file)}`, blobs[0]!]]));
    return (await client.tours.assemblePanorama({ body: { name, ...source.part }, files: { file } })).id;
  }
  const names = source.tiles.map(({ face, column, row, file }) => `${face}-${column}-${row}${endingOf(file)}`);
  const file = await archiveOf(new Map(names.map((entry, index) => [entry, blobs[index]!])));
  const { size, tile, turned } = source.layout;
  const body = { name, turned, ...(size !== null && { size }), ...(tile !== null && { tile }) };
  return (await client.tours.assemblePanorama({ body, files: { file } })).id;
}

/** Errors of a file, after which the next one may well succeed. */
const FILE_ERRORS: readonly string[] = ['bad_file', 'wrong_type', 'too_large', 'invalid', 'timeout'];

/** Options of uploading a tour. */
interface Sending {
  /** Called before each place, and at the end. */
  onPlace(done: number, all: number): void;
  /** Panoramas that earlier attempts have uploaded, by place; new ones are added. */
  sent: Map<string, number>;
  signal?: AbortSignal;
}

/** Uploads the panoramas of a plan, one after the other. One that is rejected doesn't stop the others. */
export async function sendPanoramas(
  client: Client,
  files: TourFiles,
  { places }: TourImportPlan,
  { onPlace, sent, signal }: Sending,
): Promise<FailedPlace[]> {
  const failed: FailedPlace[] = [];
  for (const [index, { key, source }] of places.entries()) {
    signal?.throwIfAborted();
    onPlace(index, places.length);
    if (sent.has(key)) continue;
    try {
      sent.set(key, await sendPanorama(client, files, key, source));
    } catch (error) {
      if (!(error instanceof ApiError) || !FILE_ERRORS.includes(error.code)) throw error;
      failed.push({ key, reason: error.message });
    }
  }
  onPlace(places.length, places.length);
  return failed;
}

/**
 * Creates the tour from uploaded panoramas; places without one are left out.
 * @throws ApiError with the fields
 */
export const finishImport = (
  client: Client,
  configs: TourConfigs,
  tour: NewTour,
  { sent, without }: { sent: ReadonlyMap<string, number>; without: readonly FailedPlace[] },
): Promise<TourImportPlan> =>
  client.tours.importTour({
    body: {
      ...tour,
      configs,
      panoramas: [...sent].map(([key, file_id]) => ({ key, file_id })),
      skip: without.map(({ key }) => key),
    },
    idempotencyKey: crypto.randomUUID(),
  });
