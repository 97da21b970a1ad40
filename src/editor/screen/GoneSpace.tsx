import { Alert, Anchor, Button, Group } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { nestedRoom } from '../../../engine/document/room.ts';
import { saveFile } from '../../ui/save-file.ts';
import { useSession } from '../../ui/session/session-context.ts';
import classes from '../layout/editor.module.css';
import { countOf } from '../saving/save-text.ts';
import { useEditor } from '../session/editor-context.ts';

/** Shown while the open space is deleted: how to get it back, and a copy with all unsaved edits. */
export const GoneSpace = observer(() => {
  const { document, roomId, saving } = useEditor();
  const session = useSession();
  const { waiting } = saving.queue;
  if (!saving.isGone) return null;
  const download = () => {
    const content = JSON.stringify(nestedRoom(document.room), null, 2);
    saveFile(`space-${roomId}.json`, content, 'application/json');
  };
  return (
    <Alert
      className={classes.gone}
      color="red"
      role="alert"
      icon={<IconTrash size={18} aria-hidden />}
      title="This space was deleted"
    >
      {waiting > 0 &&
        `${countOf(waiting)} of yours ${waiting === 1 ? 'is' : 'are'} not saved but stored in this browser. `}
      If the space is restored from the bin, editing continues here.
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} aria-hidden />} onClick={download}>
          Download the space
        </Button>
        {session.may('rooms', 'delete') && (
          <Anchor size="sm" href="/admin/bin" target="_blank">
            Open the bin
          </Anchor>
        )}
      </Group>
    </Alert>
  );
});
