import { createReadStream } from 'node:fs';
import type { z } from 'zod';
import { directionOf } from '../../../../engine/document/places.ts';
import type { calls } from '../../../contract/calls.ts';
import type { Media, TourImportPlan } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Requester } from '../../core/files/decoders/turns.ts';
import type { PhotoMetadata } from '../../core/files/inspect/metadata/photo-metadata.ts';
import type { ImportedPlace, ImportedTour } from '../../core/files/inspect/tours/imported-tour.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { findMediaRows, type MediaRow } from '../media/queries.ts';
import { storeFile, wholeUpload } from '../media/service.ts';
import { readMedia } from '../media-library/service.ts';
import { makeTour, refuseTaken } from './create.ts';
import { placeTexts, reasonAgainst } from './photos.ts';
import { positionsOf } from './positions.ts';
import { rounded } from './service.ts';
import { type DocumentHotspot, type DocumentPlace, tourDocument } from './tour-document.ts';

type Body = z.output<typeof calls.tours.importTour.body>;

const requesterOf = ({ organizationId }: SignedInContext): Requester => ({
  sender: 'user',
  organizationId,
  address: null,
});

/** A place with its panorama, if that is uploaded. */
interface Found {
  place: ImportedPlace;
  row: MediaRow | undefined;
  recorded: PhotoMetadata;
}

/** The places of a tour that are not skipped, with their panoramas; reports the others. */
async function foundPlaces(
  { db, organizationId }: SignedInContext,
  { places, left_out }: ImportedTour,
  { panoramas, skip, dry_run }: Body,
): Promise<{ found: Found[]; left_out: string[] }> {
  const ids = new Map(panoramas.map(({ key, file_id }) => [key, file_id]));
  const rows = await findMediaRows(db, organizationId, [...ids.values()]);
  const skipped = new Set(skip);
  const found: Found[] = [];
  const problems: string[] = [];
  const lines = [...left_out];
  for (const place of places) {
    const id = ids.get(place.key);
    const row = id === undefined ? undefined : rows.get(id);
    if (skipped.has(place.key)) {
      lines.push(`Scene “${place.key}”: its panorama is missing; left out`);
      continue;
    }
    if (id === undefined && !dry_run) problems.push(`Scene “${place.key}” has no panorama.`);
    const against = id === undefined ? null : row ? reasonAgainst(row) : 'File not found; it may have been deleted.';
    if (against !== null) problems.push(`Scene “${place.key}”: ${against}`);
    found.push({ place, row, recorded: JSON.parse(row?.photo ?? '{}') as PhotoMetadata });
  }
  if (problems.length > 0) throw new ApiError('invalid', { panoramas: problems });
  if (found.length === 0) throw new ApiError('invalid', { skip: ['No place is left. Add the missing images.'] });
  return { found, left_out: lines };
}

/** An imported place, with all directions in the room's terms. */
interface Turned extends Pick<DocumentPlace, 'heading' | 'pitch' | 'roll' | 'view'> {
  /** Converts a yaw of the configuration to a heading. */
  headingOf(yaw: number): number;
}

const turn = (degrees: number) => rounded(((((degrees + 180) % 360) + 360) % 360) - 180);
const compass = (degrees: number) => rounded(((degrees % 360) + 360) % 360);

function turnedPlace({ place, recorded }: Found): Turned {
  const own = place.heading ?? recorded.heading ?? 0;
  const headingOf = (yaw: number) => compass(place.yawFrom === 'heading' ? own + yaw : yaw);
  return {
    heading: compass(own + place.turn),
    pitch: rounded(place.pitch ?? recorded.pitch ?? 0),
    roll: turn(place.roll ?? recorded.roll ?? 0),
    view: { heading: headingOf(place.view.yaw), pitch: rounded(place.view.pitch) },
    headingOf,
  };
}

/** Hotspots of a place; links to skipped places are reported. */
function documentHotspots(
  { place }: Found,
  own: Turned,
  ranks: ReadonlyMap<string, number>,
  turned: readonly Turned[],
  leftOut: string[],
): DocumentHotspot[] {
  return place.hotspots.flatMap(({ name, yaw, pitch, action }): DocumentHotspot[] => {
    const way = directionOf(own.headingOf(yaw), pitch);
    if (action.kind !== 'place') return [{ name, way, action }];
    const to = ranks.get(action.to);
    if (to === undefined) {
      leftOut.push(`Scene “${place.key}”: the link to “${action.to}” leads to a place that is left out; left out`);
      return [];
    }
    const { arrival } = action;
    if (typeof arrival === 'string') return [{ name, way, action: { kind: 'place', to, arrival } }];
    const heading = turned[to]!.headingOf(arrival.yaw);
    return [{ name, way, action: { kind: 'place', to, arrival: { heading, pitch: rounded(arrival.pitch) } } }];
  });
}

/** Whether the first views differ in their field of view, which only the start keeps. */
const zoomLine = (places: readonly ImportedPlace[], start: ImportedPlace): string[] =>
  places.some(({ fov }) => fov !== null && Math.abs(fov - (start.fov ?? fov)) > 1)
    ? [`Zoom: all places open with the field of view of the start, ${Math.round(start.fov ?? 0)}°`]
    : [];

/**
 * Imports a tour that was made for another viewer; a dry run only plans it. The configuration is read in a decoder.
 * @throws ApiError bad_file or wrong_type if the configuration can't be read; invalid with the fields; forbidden; quota
 */
export async function importTour(context: SignedInContext, body: Body): Promise<TourImportPlan> {
  const { dry_run, ...from } = body;
  const tour: ImportedTour = await context.workers.run('readTour', body.configs, requesterOf(context));
  const { found, left_out: lines } = await foundPlaces(context, tour, body);
  const left_out = [...lines];
  const metadata = found.map(({ place, recorded }) => ({ ...recorded, ...place.gps }));
  const { positions, from: positionsFrom } = positionsOf(metadata);
  const turned = found.map(turnedPlace);
  const ranks = new Map(found.map(({ place }, rank) => [place.key, rank]));
  const start = ranks.get(tour.start) ?? 0;
  const places = found.map(
    (one, rank): DocumentPlace => ({
      file_id: one.row?.id ?? 0,
      name: one.place.name,
      position: positions[rank]!,
      ...turned[rank]!,
      arrivalView: one.place.arrivalView,
      hotspots: documentHotspots(one, turned[rank]!, ranks, turned, left_out),
      texts: one.row ? placeTexts(one.row) : {},
    }),
  );
  left_out.push(
    ...zoomLine(
      found.map(({ place }) => place),
      found[start]!.place,
    ),
  );
  const { fov } = found[start]!.place;
  // Without the panoramas there is nothing to create yet.
  const isComplete = found.every(({ row }) => row !== undefined);
  if (!isComplete) await refuseTaken(context.db, context.organizationId, body);
  const made = isComplete
    ? await makeTour(context, body, {
        from,
        documentOf: (templateId) => tourDocument({ name: body.name, templateId, start, fov }, places),
        files: places.map(({ file_id }) => file_id),
      })
    : { job: null, room_id: null, endpoint_id: null };
  return {
    format: tour.format,
    title: tour.title,
    ...made,
    start: found[start]!.place.key,
    positions: positionsFrom,
    places: places.map(({ name, heading, pitch, roll, view, position, hotspots }, rank) => {
      const { place, row } = found[rank]!;
      const links = hotspots.flatMap(({ action }) => (action.kind === 'place' ? [found[action.to]!.place.key] : []));
      return {
        key: place.key,
        name,
        source: place.source,
        file_id: row?.id ?? null,
        heading,
        pitch,
        roll,
        view,
        position,
        links,
        hotspots: hotspots.length - links.length,
      };
    }),
    left_out,
  };
}

type PanoramaBody = z.output<typeof calls.tours.assemblePanorama.body>;

/** How the images in an archive fit together. */
function layoutOf({ size, tile, turned, left, top, width, height }: PanoramaBody) {
  const part = [left, top, width, height];
  if (part.every((value) => value === undefined))
    return { kind: 'cube', size: size ?? null, tile: tile ?? null, turned } as const;
  if (part.some((value) => value === undefined) || left! + width! > 1 + 1e-6 || top! + height! > 1 + 1e-6)
    throw new ApiError('invalid', { left: ['Enter a part of the sphere: left, top, width and height.'] });
  return { kind: 'part', part: { left: left!, top: top!, width: width!, height: height! } } as const;
}

/**
 * Makes an equirectangular image of a cube map or a partial panorama, and stores it in the media library.
 * @throws ApiError bad_file with the reason
 */
export async function assemblePanorama(
  context: SignedInContext,
  body: PanoramaBody,
  file: Upload | undefined,
): Promise<Media> {
  if (!file) throw new ApiError('invalid', { file: ['Choose a file.'] });
  const { media, workers, organizationId, user } = context;
  const layout = layoutOf(body);
  const arrival = await media.receive(file);
  try {
    const { file: path, bytes, folder } = arrival;
    const drawn = await workers.run('assemblePanorama', { path, bytes, folder, layout }, requesterOf(context));
    const owner = { organizationId, userId: user.userId, name: body.name, accept: 'image' } as const;
    const row = await storeFile(context, owner, wholeUpload(createReadStream(drawn)));
    return await readMedia(context, row.id);
  } finally {
    await media.discard(arrival);
  }
}
