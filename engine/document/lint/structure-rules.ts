import { descriptorOf } from '../element.ts';
import { placedOf, type Rule, titleOf } from './finding.ts';

/** Maximum elements before a room plays slowly on phones. */
const COMFORTABLE_ELEMENTS = 2000;

/** Two elements with the same id: links and edits reach only one of them. */
export const duplicateId: Rule = ({ placed }, report) => {
  const first = new Map<number, string>();
  for (const at of placed) {
    const { id } = at.element;
    const path = first.get(id);
    if (path === undefined) first.set(id, at.path);
    else report('duplicate-id', at, 'id', `ID ${id} is already used at ${path}.`, 'Use a unique ID.');
  }
};

/** Children of an element other than a group: they move with it, but the editor supports children only in groups. */
export const childrenInNonGroup: Rule = ({ placed }, report) => {
  for (const at of placed)
    if (at.childCount > 0 && !descriptorOf(at.element).container)
      report(
        'children-in-non-group',
        at,
        'children',
        `${titleOf(at.element)} has children but isn't a group.`,
        'Move the element and its children to a group.',
      );
};

/** Too many elements for a phone. */
export const tooManyElements: Rule = ({ placed }, report) => {
  if (placed.length > COMFORTABLE_ELEMENTS)
    report(
      'too-many-elements',
      null,
      'elements',
      `The room has ${placed.length} elements. More than ${COMFORTABLE_ELEMENTS} are slow on phones.`,
      'Split the room into several linked rooms.',
    );
};

/** A group with feeds enabled but no feed. */
export const feedWithoutFeed: Rule = (room, report) => {
  for (const at of placedOf(room, 'group')) {
    const { feed_enabled, feed_id } = at.element.config;
    if (feed_enabled && feed_id === null)
      report(
        'feed-without-feed',
        at,
        'config.feed_id',
        `${titleOf(at.element)} shows a feed, but none is chosen.`,
        'Choose a feed, or turn off the feed.',
      );
  }
};

/** A slider without children or a feed. */
export const sliderWithoutChildren: Rule = (room, report) => {
  for (const at of placedOf(room, 'group')) {
    const { slider_enabled, feed_enabled } = at.element.config;
    if (slider_enabled && !feed_enabled && at.childCount === 0)
      report(
        'slider-without-children',
        at,
        'config.slider_enabled',
        `${titleOf(at.element)} is an empty slider.`,
        'Add elements to the group, or turn off the slider.',
      );
  }
};

/** View points with the same menu rank: their order is arbitrary. */
export const orderRankTwice: Rule = (room, report) => {
  const first = new Map<number, string>();
  for (const at of placedOf(room, 'view_point')) {
    const { order_rank } = at.element.config;
    const path = first.get(order_rank);
    if (path === undefined) first.set(order_rank, at.path);
    else
      report(
        'order-rank-twice',
        at,
        'config.order_rank',
        `${titleOf(at.element)} has the same position in the menu, ${order_rank}, as the view point at ${path}.`,
        'Use a unique order rank for each view point.',
      );
  }
};
