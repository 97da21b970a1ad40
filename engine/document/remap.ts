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
  return copy === undefined
    ? navigation
    : { ...navigation, type_config: { ...navigation.type_config, view_point_id: copy } };
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
  // Settings as sent by clients are not validated yet.
  if ('plan_marks' in settings && Array.isArray(settings.plan_marks))
    mapped.plan_marks = settings.plan_marks.flatMap((mark: { view_point_id: number } | null) => {
      const copy = mark ? ids.get(mark.view_point_id) : undefined;
      return copy === undefined ? [mark] : copy === null ? [] : [{ ...mark, view_point_id: copy }];
    });
  if ('block_elements' in settings && Array.isArray(settings.block_elements))
    mapped.block_elements = settings.block_elements.map((id: number) => ids.get(id) ?? id);
  return mapped as T;
}

/** Ids rewritten by a map: ids not in it stay, ids of missing targets are dropped. */
const remapIds = (list: readonly number[], ids: Renaming): number[] =>
  list.flatMap((id) => {
    const copy = ids.get(id);
    return copy === undefined ? [id] : copy === null ? [] : [copy];
  });

/**
 * Rewrites references in some or all fields of an element to point to copies; references not in the map stay. An element
 * limited to view points that are all missing stays limited to them, so that it doesn't appear everywhere.
 */
export function remapElement<T extends { config?: object; visible_at?: readonly number[] }>(
  element: T,
  ids: Renaming,
): T {
  const { config, visible_at } = element;
  // Elements as sent by clients are not validated yet.
  const places = Array.isArray(visible_at) ? remapIds(visible_at, ids) : undefined;
  return {
    ...element,
    ...(config && { config: remapSettings(config, ids) }),
    ...(places && (places.length > 0 || visible_at!.length === 0) && { visible_at: places }),
  };
}

/** Rewrites references to elements in some or all settings of a room. */
export function remapRoomConfig<T extends Partial<RoomConfig>>(config: T, ids: Renaming): T {
  const links = ROOM_LINKS.filter((name) => name in config).map((name): [string, Link | null] => {
    const link = config[name] ?? null;
    return [name, link && { ...link, navigation: remapNavigation(link.navigation, ids) }];
  });
  const start = config.start_view_point_id ?? null;
  const copy = start === null ? undefined : ids.get(start);
  return { ...config, ...Object.fromEntries(links), ...(copy !== undefined && { start_view_point_id: copy }) };
}
