import type { Column } from '../io/read-items.ts';
import type { PlacedEndpoint } from './find-endpoint.ts';

/** Columns of a table of structures, which are also the fields of their documents. */
export const ENDPOINT_COLUMNS: Record<string, Column> = {
  path: 'text',
  name: 'text',
  room: 'text',
  is_visible: 'flag',
  is_timed: 'flag',
  show_countdown: 'flag',
  start_time: 'text',
  start_time_utc_offset: 'number',
  is_protected: 'flag',
  access_token_duration: 'number',
  shows: 'text',
};

/** A structure as imports take it: by its public path, its room by name. */
export const endpointDocument = (endpoint: PlacedEndpoint): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(ENDPOINT_COLUMNS).map((name) => [
      name,
      name === 'room' ? (endpoint.room?.name ?? null) : endpoint[name as keyof PlacedEndpoint],
    ]),
  );
