import type { z } from 'zod';
import { linksBetween, wayBetween } from '../../../../engine/document/tour-edits.ts';
import type { calls } from '../../../contract/calls.ts';
import type { TourPlace, TourPlan } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { findMediaRows } from '../media/queries.ts';
import { type MadeTour, makeTour } from './create.ts';
import { inOrder, placeName, sortOut, type TourPhoto } from './photos.ts';
import { positionsOf } from './positions.ts';
import { type DocumentPlace, tourDocument } from './tour-document.ts';

type Body = z.output<typeof calls.tours.create.body>;

/** Decimal places of angles. */
export const rounded = (degrees: number): number => Math.round(degrees * 100) / 100;

/** A place with the compass direction of its first view in degrees, and with the texts of its photo. */
interface PlannedPlace extends TourPlace, Pick<TourPhoto, 'texts'> {
  view_heading: number;
}

/** A plan with the first views, which only the document contains. */
interface Planned extends Omit<TourPlan, 'places' | keyof MadeTour> {
  places: PlannedPlace[];
}

function placesOf(photos: readonly TourPhoto[], links: Body['links']): Pick<Planned, 'places' | 'positions'> {
  const { positions, from } = positionsOf(photos.map(({ recorded }) => recorded));
  const linked = linksBetween(links, positions);
  const places = photos.map(({ id, fileName, recorded, texts }, rank) => {
    const { heading, pitch = 0, roll = 0 } = recorded;
    return {
      file_id: id,
      file_name: fileName,
      name: placeName(fileName, rank),
      heading: rounded(heading ?? 0),
      pitch: rounded(pitch),
      roll: rounded(roll),
      position: positions[rank]!,
      links: linked[rank]!.map((other) => photos[other]!.id),
      notes: heading === undefined ? ['No direction recorded. Align it with the other photos in the editor.'] : [],
      view_heading: rounded(recorded.view_heading ?? heading ?? 0),
      texts,
    };
  });
  return { places, positions: from };
}

/**
 * Plans a tour from photos in the media library.
 * @throws ApiError invalid if fewer than two files are 360° photos, with the reasons
 */
async function planTour({ db, organizationId }: SignedInContext, { files, order, links }: Body): Promise<Planned> {
  const { photos, skipped } = sortOut(await findMediaRows(db, organizationId, files), files);
  if (photos.length < 2)
    throw new ApiError('invalid', {
      files: [
        'A tour needs at least two 360° photos.',
        ...skipped.map(({ file_name, file_id, reason }) => `${file_name || `File ${file_id}`}: ${reason}`),
      ],
    });
  const sorted = order === 'given' ? { photos, order } : inOrder(photos);
  return { order: sorted.order, ...placesOf(sorted.photos, links), skipped };
}

/** The planned places as in a document: each link is a hotspot in the direction of its target. */
function documentPlaces(places: readonly PlannedPlace[]): DocumentPlace[] {
  const rankOf = new Map(places.map(({ file_id }, rank) => [file_id, rank]));
  return places.map(({ links, view_heading, ...place }) => ({
    ...place,
    view: { heading: view_heading, pitch: 0 },
    arrivalView: 'keep',
    hotspots: links.map((file) => {
      const to = rankOf.get(file)!;
      const way = wayBetween(place.position, places[to]!.position);
      return { name: '', way, action: { kind: 'place', to, arrival: 'keep' } };
    }),
  }));
}

/**
 * Creates a tour of photos; a dry run only plans it.
 * @throws ApiError invalid with the fields, forbidden or quota
 */
export async function createTour(context: SignedInContext, body: Body): Promise<TourPlan> {
  const { name, dry_run: _, ...rest } = body;
  const planned = await planTour(context, body);
  const made = await makeTour(context, body, {
    from: { name, ...rest },
    documentOf: (templateId) => tourDocument({ name, templateId, start: 0, fov: null }, documentPlaces(planned.places)),
    files: planned.places.map(({ file_id }) => file_id),
  });
  return { ...planned, ...made, places: planned.places.map(({ view_heading: _view, texts: _, ...place }) => place) };
}
