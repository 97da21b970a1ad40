import { Modal } from '@mantine/core';
import { reaction } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { PublicationPanel } from '../../ui/publishing/PublicationPanel.tsx';
import { PublicationStore } from '../../ui/publishing/publication-store.ts';
import { POSTER_EVENT } from '../poster/keep-poster.ts';
import { allSaved } from '../revisions/automatic-revisions.ts';
import { useEditor } from '../session/editor-context.ts';

/** Dialog to publish the edited room; saves all edits first. */
export const PublishDialog = observer(({ onClose }: { onClose(): void }) => {
  const { client, document, roomId, saving } = useEditor();
  const [store] = useState(() => new PublicationStore(client, roomId, () => allSaved(saving)));
  // The first response only reports the previous publication; each later one triggers the poster.
  useEffect(
    () =>
      reaction(
        () => store.publication,
        (_now, before) => before && dispatchEvent(new Event(POSTER_EVENT)),
      ),
    [store],
  );
  return (
    <Modal opened onClose={onClose} title="Publish" size={640} centered>
      <PublicationPanel store={store} mayPublish={!document.isReadOnly} />
    </Modal>
  );
});
