import { MEDIA_ORDERS } from '../../contract/calls/media.ts';
import type { Client } from '../../contract/client.ts';
import { MEDIA_TYPES } from '../../contract/entities.ts';

/** Filters of the media library by name, as in URLs. Any value may be invalid. */
export type MediaFilterValues = Readonly<Partial<Record<MediaFilterName | 'folder' | 'sort', string>>>;

export const MEDIA_FILTER_NAMES = ['type', 'used', 'only', 'keyword', 'size'] as const;
export type MediaFilterName = (typeof MEDIA_FILTER_NAMES)[number];

/** Sizes as ranges of bytes: from, and below. */
export const SIZES = [
  { value: '0-1000000', label: 'Below 1 MB' },
  { value: '1000000-10000000', label: '1 to 10 MB' },
  { value: '10000000-100000000', label: '10 to 100 MB' },
  { value: '100000000-', label: 'From 100 MB' },
] as const;

export const USES = [
  { value: '1', label: 'In use' },
  { value: '0', label: 'Not in use' },
] as const;

export const ONLY = [
  { value: 'mine', label: 'My uploads' },
  { value: 'without_alt', label: 'Without alternative text' },
  { value: 'duplicates', label: 'Duplicates' },
] as const;

export const ORDERS: readonly { value: (typeof MEDIA_ORDERS)[number]; label: string }[] = [
  { value: '-created', label: 'Newest first' },
  { value: 'created', label: 'Oldest first' },
  { value: 'name', label: 'Name' },
  { value: '-bytes', label: 'Largest first' },
];

type Query = NonNullable<NonNullable<Parameters<Client['media']['list']>[0]>['query']>;

/** The query of a list for filters; invalid ones are ignored. */
export function mediaQueryOf({ type, used, only, keyword, size, folder, sort }: MediaFilterValues): Query {
  const types = [...MEDIA_TYPES.filter((each) => each === type), ...(only === 'mine' ? ['current_user'] : [])];
  const range = SIZES.find(({ value }) => value === size)?.value.split('-');
  const order = MEDIA_ORDERS.find((each) => each === sort);
  return {
    ...(types.length > 0 && { filters: btoa(JSON.stringify(types.map((each) => ({ type: each })))) }),
    ...((used === '0' || used === '1') && { used }),
    ...((only === 'without_alt' || only === 'duplicates') && { [only]: '1' }),
    ...(keyword && keyword.length <= 100 && { keyword }),
    ...(range && { min_bytes: Number(range[0]), ...(range[1] && { max_bytes: Number(range[1]) - 1 }) }),
    ...(/^\d{1,15}$/.test(folder ?? '') && { folder_id: Number(folder) }),
    ...(order && { sort: order }),
  };
}
