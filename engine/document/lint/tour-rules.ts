import { alternativeOf, isDecorative } from '../alternative.ts';
import { isPlace } from '../places.ts';
import { oneWayLinks, type TourLink, tourLinks, withoutWayIn } from '../tour-links.ts';
import { isHidden, type LintedRoom, type Placed, placedOf, type Rule, titleOf } from './finding.ts';
import { checkReference } from './link-rules.ts';

/** References to view points by the start of the room, by plans, and by the elements limited to some. */
export const danglingPlaces: Rule = (room, report) => {
  const check = (at: Placed | null, path: string, id: number) => {
    const target = checkReference(room, { at, path }, id, report);
    if (target && target.element.element !== 'view_point')
      report(
        'link-to-non-view-point',
        at,
        path,
        `${titleOf(target.element)} isn't a view point.`,
        'Choose a view point of this room.',
      );
  };
  const start = room.room.config.start_view_point_id;
  if (start !== null) check(null, 'config.start_view_point_id', start);
  for (const at of room.placed)
    for (const [index, id] of at.element.visible_at.entries()) check(at, `visible_at[${index}]`, id);
  for (const at of placedOf(room, 'image'))
    for (const [index, { view_point_id: id }] of at.element.config.plan_marks.entries())
      check(at, `config.plan_marks[${index}].view_point_id`, id);
};

const placesIn = (room: LintedRoom) =>
  placedOf(room, 'view_point').filter((at) => isPlace(at.element) && !isHidden(at));

const linksIn = ({ placed, byId }: LintedRoom): TourLink[] =>
  tourLinks(
    placed.map(({ element }) => element),
    ({ id }) => byId.get(id)?.ancestors ?? [],
  );

/** Places that no link leads to, except the start. */
export const unreachablePlace: Rule = (room, report) => {
  const places = placesIn(room);
  const ids = places.map(({ element }) => element.id);
  const unreachable = new Set(withoutWayIn(ids, linksIn(room), room.room.config.start_view_point_id));
  for (const at of places)
    if (unreachable.has(at.element.id))
      report(
        'unreachable-place',
        at,
        '',
        `No link leads to ${titleOf(at.element)}; visitors find it only in the list of places.`,
        'Add a hotspot that leads here.',
      );
};

/** Links between places without a way back. */
export const oneWayDoor: Rule = (room, report) => {
  for (const { from, to, element } of oneWayLinks(linksIn(room))) {
    const [here, there] = [room.byId.get(from), room.byId.get(to)];
    const at = room.byId.get(element.id);
    if (!here || !there || !at) continue;
    report(
      'one-way-door',
      at,
      'config.navigation',
      `A link leads from ${titleOf(here.element)} to ${titleOf(there.element)}, but none leads back.`,
      'Add a hotspot that leads back.',
    );
  }
};

/** Places without any text: visitors can't tell them apart in the list, and screen readers can't announce them. */
export const placeWithoutName: Rule = (room, report) => {
  for (const at of placesIn(room))
    if (!isDecorative(at.element) && !alternativeOf(at.element))
      report(
        'place-without-name',
        at,
        'config.name',
        `${titleOf(at.element)} has no name or alternative text.`,
        'Enter a name.',
      );
};

/** A panorama without a heading among others that have one: the visitor's direction jumps on the way there. */
export const missingHeading: Rule = (room, report) => {
  const places = placesIn(room);
  if (!places.some(({ element }) => element.config.panorama_heading !== 0)) return;
  for (const at of places)
    if (at.element.config.panorama_heading === 0)
      report(
        'missing-heading',
        at,
        'config.panorama_heading',
        `${titleOf(at.element)} has heading 0, unlike other places of the tour.`,
        'Align its heading with the other places, so that visitors keep their direction.',
      );
};
