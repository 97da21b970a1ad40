import { Anchor, Group, Input } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { EndpointListRow } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { Quiet } from '../frame/text.tsx';

/** Structures listed at once. */
const MAX_LISTED = 10;

/** The structures that show a space, as links. */
export function ShownIn({ roomId }: { roomId: number }) {
  const { client } = useSession();
  const [found, setFound] = useState<{ rows: EndpointListRow[]; total: number } | null>(null);
  useEffect(() => {
    client.endpoints
      .rows({ query: { room_id: roomId, sort: 'name', per_page: MAX_LISTED } })
      .then(({ data, meta }) => setFound({ rows: data, total: meta.total }), showProblem);
  }, [client, roomId]);
  if (!found) return null;
  const more = found.total - found.rows.length;
  return (
    <Input.Wrapper label="Shown in" labelElement="div">
      <Group gap="xs">
        {found.rows.map(({ id, name, path }) => (
          <Anchor key={id} component={Link} to={`/admin/structures/${id}`} size="sm" title={path}>
            {name}
          </Anchor>
        ))}
        {found.total === 0 && <Quiet>No structure. A structure gives the space its public address.</Quiet>}
        {more > 0 && <Quiet>and {more} more</Quiet>}
      </Group>
    </Input.Wrapper>
  );
}
