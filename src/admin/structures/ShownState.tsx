import { Paper } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { PublicationPanel } from '../../ui/publishing/PublicationPanel.tsx';
import { PublicationStore } from '../../ui/publishing/publication-store.ts';
import { useSession } from '../../ui/session/session-context.ts';
import type { StructuresStore } from './structures-store.ts';
import { YesNo } from './YesNo.tsx';

/** Publication of the structure's space. */
function Published({ roomId, endpointId }: { roomId: number; endpointId: number | undefined }) {
  const session = useSession();
  const [store] = useState(() => new PublicationStore(session.client, roomId));
  return (
    <Paper withBorder p="md">
      <PublicationPanel
        store={store}
        mayPublish={session.may('rooms', 'update')}
        {...(endpointId !== undefined && { endpointId })}
      />
    </Paper>
  );
}

/** Whether visitors see the latest edits or the published version, and what is published. */
export const ShownState = observer(({ store }: { store: StructuresStore }) => {
  const session = useSession();
  const { draft, entry } = store;
  const { room_id, shows } = draft;
  return (
    <>
      <YesNo
        label="Visitors see the space"
        yes="Latest edits"
        no="Published version"
        value={shows === 'edited'}
        onChange={(isEdited) => store.set({ shows: isEdited ? 'edited' : 'published' })}
      />
      {shows === 'published' && room_id !== null && session.may('rooms', 'view_any') && (
        <Published key={room_id} roomId={room_id} endpointId={entry?.room_id === room_id ? entry.id : undefined} />
      )}
    </>
  );
});
