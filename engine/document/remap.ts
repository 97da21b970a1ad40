import type { Link, Navigation } from './navigation.ts';
import type { RoomConfig } from './room-config.ts';

/** Ids of copies by the ids of what they are copies of. */
export type IdMap = ReadonlyMap<number, number>;

/** Settings of a room that hold links. */
export const ROOM_LINKS = [
  'timed_popup_action_left',
  'timed_popup_action_center',
  'timed_popup_action_right',
  'top_left_link',
  'top_right_link',
  'bottom_left_link',
  'bottom_right_link',
] as const satisfies (keyof RoomConfig)[];

/** New ids by old ids; null where what had the old one is not there. */
export type Renaming = Pick<ReadonlyMap<number, number | null>, 'get'>;

function remapNavigation(navigation: Navigation, ids: Renaming): Navigation {
  if (navigation.type !== 'view_point') return navigation;
  const { view_point_id } = navigation.type_config;
  const copy = view_point_id === null ? undefined : ids.get(view_point_id);
  return copy === undefined ? navigation : { type: navigation.type, type_config: { view_point_id: copy } };
}

/** Settings of an element, all or some, whose references to elements point to the new ids. Others stay. */
export function remapSettings<T extends object>(settings: T, ids: Renaming): T {
  const mapped = { ...settings } as Record<string, unknown>;
  if ('navigation' in settings) mapped.navigation = remapNavigation(settings.navigation as Navigation, ids);
  if ('target' in settings) {
    const target = settings.target as { element_id: number | null };
    const copy = target.element_id === null ? undefined : ids.get(target.element_id);
    mapped.target = copy === undefined ? target : { ...target, element_id: copy };
  }
  return mapped as T;
}

/** An element whose references to other elements point to their copies. References to anything else stay. */
export const remapElement = <T extends { config: object }>(element: T, ids: Renaming): T => ({
  ...element,
  config: remapSettings(element.config, ids),
});

/** Settings of a room, all or some, whose references to elements point to their copies. */
export function remapRoomConfig<T extends Partial<RoomConfig>>(config: T, ids: Renaming): T {
  const links = ROOM_LINKS.filter((name) => name in config).map((name): [string, Link | null] => {
    const link = config[name] ?? null;
    return [name, link && { ...link, navigation: remapNavigation(link.navigation, ids) }];
  });
  return { ...config, ...Object.fromEntries(links) };
}
