import { type Case, config, element, link, room } from './room-builders.ts';

const photo = (id: number) => ({
  file_id: id,
  file: { id, name: `${id}.jpg`, type: 'image', url: `/media/${id}.jpg` },
});

/** A place of a tour. */
const place = (id: number, settings: object = {}) =>
  element('view_point', id, { ...photo(id), config: { name: `Place ${id}`, order_rank: id, ...settings } });

/** A hotspot at one place that leads to another. */
const door = (id: number, from: number, to: number) =>
  element('button', id, { ...link('view_point', { view_point_id: to }), visible_at: [from] });

/** Tours with places that can't be reached or told apart, and references to missing view points. */
export const tourCases: Case[] = [
  {
    name: 'a start that is missing',
    code: 'dead-link',
    path: 'config.start_view_point_id',
    input: room(config({ start_view_point_id: 7 })),
  },
  {
    name: 'a start that is no view point',
    code: 'link-to-non-view-point',
    path: 'config.start_view_point_id',
    input: room(config({ start_view_point_id: 1 }), element('text', 1, config({ text: 'Hall' }))),
  },
  {
    name: 'an element at a missing view point',
    code: 'dead-link',
    path: 'elements[0].visible_at[0]',
    id: 1,
    input: room({}, element('text', 1, { visible_at: [7], config: { text: 'Hall' } })),
  },
  {
    name: 'a plan with a mark of a missing view point',
    code: 'dead-link',
    path: 'elements[0].config.plan_marks[1].view_point_id',
    id: 2,
    input: room(
      {},
      element('image', 2, {
        ...photo(2),
        config: {
          appearance: 'plan',
          title: 'Ground floor',
          plan_marks: [
            { view_point_id: 1, x: 0.5, y: 0.5 },
            { view_point_id: 7, x: 0.1, y: 0.5 },
          ],
        },
      }),
      place(1),
    ),
  },
  {
    name: 'a place to which nothing leads',
    code: 'unreachable-place',
    path: 'elements[1]',
    id: 2,
    input: room({}, place(1), place(2)),
  },
  {
    name: 'a place to which only a hidden door leads',
    code: 'unreachable-place',
    path: 'elements[1]',
    id: 2,
    input: room({}, place(1), place(2), element('group', 5, { hidden: true }, door(3, 1, 2))),
  },
  {
    name: 'a door without a way back',
    code: 'one-way-door',
    path: 'elements[2].config.navigation',
    id: 3,
    input: room({}, place(1), place(2), door(3, 1, 2)),
  },
  {
    name: 'a place without a name',
    code: 'place-without-name',
    path: 'elements[0].config.name',
    id: 1,
    input: room({}, place(1, { name: '' })),
  },
  {
    name: 'a place of which only the name is known',
    code: 'panorama-without-alternative',
    path: 'elements[0].config.alt',
    id: 1,
    input: room({}, place(1)),
  },
  {
    name: 'a place without a heading among others',
    code: 'missing-heading',
    path: 'elements[1].config.panorama_heading',
    id: 2,
    input: room({}, place(1, { panorama_heading: 90 }), place(2), door(3, 1, 2), door(4, 2, 1)),
  },
];
