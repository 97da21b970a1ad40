import type { Link, Navigation } from './navigation.ts';
import type { RoomConfig } from './room-config.ts';

/** Ids of copies by the ids of their originals. */
export type IdMap = ReadonlyMap<number, number>;

/** Room settings that contain links. */
export const ROOM_LINKS = [
  'timed_popup_action_left',
  'timed_popup_action_center',
  'timed_popup_action_right',
  'top_left_link',
  'top_right_link',
  'bottom_left_link',
  'bottom_right_link',
] as const satisfies (keyof RoomConfig)[];

/** New ids by old ids; null if the target no longer exists. */
export type Renaming = Pick<ReadonlyMap<number, number | null>, 'get'>;

function remapNavigation(navigation: Navigation, ids: Renaming): Navigation {
  if (navigation.type !== 'view_point') return navigation;
  const { view_point_id } = navigation.type_config;
  const copy = view_point_id === null ? undefined : ids.get(view_point_id);
  return copy === undefined ? navigation : { type: navigation.type, type_config: { view_point_id: copy } };
}

/** Rewrites references to elements in some or all settings of an element; references not in the map stay. */
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

/** Rewrites an element's references to point to copies; references not in the map stay. */
export const remapElement = <T extends { config: object }>(element: T, ids: Renaming): T => ({
  ...element,
  config: remapSettings(element.config, ids),
});

/** Rewrites references to elements in some or all settings of a room. */
export function remapRoomConfig<T extends Partial<RoomConfig>>(config: T, ids: Renaming): T {
  const links = ROOM_LINKS.filter((name) => name in config).map((name): [string, Link | null] => {
    const link = config[name] ?? null;
    return [name, link && { ...link, navigation: remapNavigation(link.navigation, ids) }];
  });
  return { ...config, ...Object.fromEntries(links) };
}
