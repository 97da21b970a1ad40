import { Anchor, Group } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Endpoint } from '../../contract/entities.ts';
import { dateText, momentText } from '../../ui/moment-text.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { here, timeText } from '../../ui/zone-time.ts';
import { useLoaded } from '../frame/Loaded.tsx';
import { countText } from '../stores/list-store.ts';
import classes from './structures.module.css';

/** When a structure opens or its sequence starts; undefined if it has no effect. */
function scheduleOf(endpoint: Endpoint): string | undefined {
  const { start_date, start_time, start_time_utc_offset: offset, time_zone: zone } = endpoint;
  if (start_time === null || !(endpoint.is_timed || endpoint.show_countdown)) return undefined;
  const kinds = [endpoint.show_countdown && 'countdown', endpoint.is_timed && 'timed sequence'].filter(Boolean);
  const day = start_date === null ? 'Daily' : dateText(start_date);
  return `${day}, ${timeText(start_time, { zone, offset }, here())} (${kinds.join(', ')})`;
}

/** Access to a structure, and how long its tokens are valid. */
function accessOf({ is_protected, access_tokens_count: count, access_token_duration: minutes }: Endpoint): string {
  if (!is_protected) return 'Public';
  const valid = minutes === null ? '' : `, each valid for ${countText(minutes, 'minutes')} from first use`;
  return `Protected, ${countText(count, 'access tokens')}${valid}`;
}

/** A structure for users who may see but not change it. */
export function StructureFacts({ endpoint }: { endpoint: Endpoint }) {
  const session = useSession();
  const { id, slug, room, shows, is_visible, parent_endpoint_id: parentId, updated_at } = endpoint;
  const parent = useLoaded(({ endpoints }) => endpoints.read({ params: { id: parentId ?? 0 } }), parentId !== null);
  const sites = useLoaded(async ({ organizations }) => (await organizations.embedding()).sites);
  // Only the list has the last editor.
  const editor = useLoaded(async ({ endpoints }) => {
    const { data } = await endpoints.rows({ query: { search: slug, sort: 'name', per_page: 250 } });
    return data.find((row) => row.id === id)?.edited_by;
  });
  const facts: [string, ReactNode][] = [
    [
      'Space',
      room ? (
        <Group key="space" gap="xs" wrap="nowrap">
          <Poster url={room.poster_url} width={48} />
          {session.may('rooms', 'view_any') ? (
            <Anchor component={Link} to={`/admin/spaces/${room.id}`} size="sm">
              {room.title}
            </Anchor>
          ) : (
            room.title
          )}
        </Group>
      ) : (
        'None'
      ),
    ],
    ['Version', shows === 'published' ? 'Published version' : 'Latest edits'],
    ['Visibility', is_visible ? 'Visible' : 'Hidden'],
    ['Access', accessOf(endpoint)],
    ['Schedule', scheduleOf(endpoint) ?? 'Always open'],
    ...(parent.value
      ? ([
          [
            'Below',
            <Anchor key="parent" component={Link} to={`/admin/structures/${parent.value.id}`} size="sm">
              {parent.value.name}
            </Anchor>,
          ],
        ] as [string, ReactNode][])
      : []),
    ['Embedded on', sites.value?.length ? sites.value.join(', ') : 'No sites'],
    ['Changed', [momentText(updated_at), editor.value].filter(Boolean).join(' by ')],
  ];
  return (
    <dl className={classes.values}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
