import { Modal } from '@mantine/core';
import { reaction } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { PublicationPanel } from '../../ui/publishing/PublicationPanel.tsx';
import { PublicationStore } from '../../ui/publishing/publication-store.ts';
import { POSTER_EVENT } from '../poster/keep-poster.ts';
import { allSaved } from '../revisions/automatic-revisions.ts';
import { useEditor } from '../session/editor-context.ts';

/** Publishing the room that is edited: every edit is saved first. */
export const PublishDialog = observer(({ onClose }: { onClose(): void }) => {
  const { client, document, roomId, saving } = useEditor();
  const [store] = useState(() => new PublicationStore(client, roomId, () => allSaved(saving)));
  // What has just been published is drawn: the first answer only tells what was before.
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
