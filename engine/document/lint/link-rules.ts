import type { Navigation } from '../navigation.ts';
import {
  isBlank,
  isHidden,
  type LintedRoom,
  type Placed,
  placedOf,
  type Report,
  type Rule,
  titleOf,
} from './finding.ts';

/** A link and its location: an element's navigation, an overlay corner or a pop-up's action. */
interface PlacedLink {
  at: Placed | null;
  path: string;
  navigation: Navigation;
}

const ROOM_LINKS = [
  'top_left_link',
  'top_right_link',
  'bottom_left_link',
  'bottom_right_link',
  'timed_popup_action_left',
  'timed_popup_action_center',
  'timed_popup_action_right',
] as const;

function linksOf({ room, placed }: LintedRoom): PlacedLink[] {
  const links: PlacedLink[] = [];
  for (const name of ROOM_LINKS) {
    const link = room.config[name];
    if (link) links.push({ at: null, path: `config.${name}.navigation`, navigation: link.navigation });
  }
  for (const at of placed) {
    const { config } = at.element;
    if ('navigation' in config) links.push({ at, path: 'config.navigation', navigation: config.navigation });
  }
  return links;
}

/** Whether a group opens as a slider, or might because it couldn't be parsed. */
const hasSlider = (room: LintedRoom) =>
  room.unread.size > 0 || placedOf(room, 'group').some(({ element }) => element.config.slider_enabled);

/** The missing destination of a link: setting, problem, fix. */
function missingDestination(
  { type, type_config: config }: Navigation,
  slider: boolean,
): [string, string, string] | undefined {
  switch (type) {
    case 'space':
      if (config.endpoint === null && config.endpoint_url === '')
        return ['endpoint', 'The link opens a space, but none is chosen.', 'Choose a space.'];
      return undefined;
    case 'url':
    case 'modal_url':
      return config.url === '' ? ['url', 'The link has no URL.', 'Enter a URL that starts with https://.'] : undefined;
    case 'slug':
      if (config.slug_one === '')
        return ['slug_one', 'The link opens a structure, but has no path.', 'Enter the first slug of the structure.'];
      return undefined;
    case 'event':
      return config.name === ''
        ? ['name', 'The link emits an event without a name.', 'Enter the event name.']
        : undefined;
    case 'modal_content':
      if (isBlank(config.content)) return ['content', 'The link opens an empty dialog.', 'Enter the content.'];
      return undefined;
    case 'modal_share':
      if (config.feed_id === null) return ['feed_id', 'The share link has no feed.', 'Choose a local feed.'];
      return undefined;
    case 'view_point':
      if (config.view_point_id === null)
        return ['view_point_id', 'The link opens a view point, but none is chosen.', 'Choose a view point.'];
      return undefined;
    case 'slider':
      if (!slider) return ['', 'The link opens a slider, but the room has none.', 'Turn on the slider of a group.'];
      return undefined;
    case 'disabled':
    case 'modal_static':
      return undefined;
  }
}

/** Checks a reference to an element and reports a missing or hidden target. */
export function checkReference(
  room: LintedRoom,
  from: { at: Placed | null; path: string },
  id: number,
  report: Report,
): Placed | undefined {
  const target = room.byId.get(id);
  if (!target) {
    if (!room.unread.has(id))
      report(
        'dead-link',
        from.at,
        from.path,
        `Element ${id} doesn't exist in this room.`,
        'Choose an element of this room.',
      );
  } else if (isHidden(target))
    report(
      'hidden-link-target',
      from.at,
      from.path,
      `The target is hidden: ${titleOf(target.element)}.`,
      'Show the target or choose another one.',
    );
  return target;
}

/** Links without a destination, to a missing or hidden view point, or to an element of another type. */
export const deadLinks: Rule = (room, report) => {
  const slider = hasSlider(room);
  for (const { at, path, navigation } of linksOf(room)) {
    const gap = missingDestination(navigation, slider);
    if (gap) {
      const [setting, message, suggestion] = gap;
      report('dead-link', at, setting ? `${path}.type_config.${setting}` : path, message, suggestion);
    } else if (navigation.type === 'view_point') {
      const from = { at, path: `${path}.type_config.view_point_id` };
      const target = checkReference(room, from, navigation.type_config.view_point_id!, report);
      if (target && target.element.element !== 'view_point')
        report(
          'link-to-non-view-point',
          at,
          from.path,
          `${titleOf(target.element)} isn't a view point.`,
          'Choose a view point, or change the link type.',
        );
    }
  }
};

/** Dialogs without a title: the title bar is empty and screen readers can't announce them. */
export const dialogWithoutTitle: Rule = (room, report) => {
  for (const { at, path, navigation } of linksOf(room))
    if ((navigation.type === 'modal_url' || navigation.type === 'modal_content') && navigation.type_config.title === '')
      report(
        'dialog-without-title',
        at,
        `${path}.type_config.title`,
        'The dialog opened by the link has no title.',
        'Enter a title.',
      );
};

/** Targets of spot and directional lights must exist, be visible, and not be the light or inside it. */
export const lightTargets: Rule = (room, report) => {
  for (const at of placedOf(room, 'light')) {
    const { light_type, target } = at.element.config;
    if (target.type !== 'Element' || (light_type !== 'spot_light' && light_type !== 'directional_light')) continue;
    const path = 'config.target.element_id';
    if (target.element_id === null) {
      report(
        'dead-link',
        at,
        path,
        `${titleOf(at.element)} targets an element, but none is chosen.`,
        'Choose an element.',
      );
      continue;
    }
    const found = checkReference(room, { at, path }, target.element_id, report);
    if (found?.element === at.element || found?.ancestors?.includes(at.element))
      report(
        'light-targets-itself',
        at,
        path,
        `${titleOf(at.element)} targets itself, so it has no direction.`,
        'Choose an element outside the light, or a position.',
      );
  }
};
