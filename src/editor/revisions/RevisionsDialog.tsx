import { Button, Group, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconBookmarkPlus } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { useTypedAhead } from '../../ui/typed-ahead.ts';
import { EditingControls } from '../layout/EditingControls.tsx';
import { useEditor } from '../session/editor-context.ts';
import { Comparison } from './Comparison.tsx';
import { RevisionRow } from './RevisionRow.tsx';
import classes from './revisions.module.css';
import { RevisionsStore } from './revisions-store.ts';

/** Most characters of a name. */
const MAX_REVISION_NAME = 120;

const NewRevision = observer(({ store }: { store: RevisionsStore }) => {
  const [name, setName] = useState('');
  const onFocus = useTypedAhead((typed) => setName((before) => before + typed));
  const save = async () => {
    if (name.trim() !== '' && (await store.save(name.trim()))) setName('');
  };
  return (
    <form
      className={classes.make}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextInput
        aria-label="Name of the revision"
        placeholder="Before the opening"
        maxLength={MAX_REVISION_NAME}
        data-autofocus
        value={name}
        onFocus={onFocus}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button
        type="submit"
        leftSection={<IconBookmarkPlus size={16} aria-hidden />}
        loading={store.isBusy}
        disabled={name.trim() === ''}
      >
        Save a revision
      </Button>
    </form>
  );
});

const List = observer(({ store }: { store: RevisionsStore }) => {
  const { list, state } = store;
  if (state === 'failed')
    return (
      <Stack align="flex-start" gap="xs" role="alert">
        <Text size="sm">The revisions could not be loaded.</Text>
        <Button size="xs" variant="default" onClick={() => void store.load()}>
          Try again
        </Button>
      </Stack>
    );
  if (!list)
    return (
      <Stack gap={6} role="status" aria-label="Loading">
        <Skeleton height={48} />
        <Skeleton height={48} />
        <Skeleton height={48} />
      </Stack>
    );
  if (list.length === 0)
    return (
      <Text size="sm" c="dimmed">
        There is none yet. One is made when a changed space is opened, and every ten minutes while it is edited.
      </Text>
    );
  return (
    <ul className={classes.list} aria-label="Revisions">
      {list.map((revision) => (
        <RevisionRow key={revision.id} revision={revision} store={store} />
      ))}
    </ul>
  );
});

/** The revisions of the room: what has changed since each, and the way back. */
export const RevisionsDialog = observer(({ onClose }: { onClose(): void }) => {
  const editor = useEditor();
  const [store] = useState(() => new RevisionsStore(editor));
  useEffect(() => void store.load(), [store]);
  return (
    <Modal opened onClose={onClose} title="Revisions" size={960} centered>
      <Stack>
        <EditingControls>
          <NewRevision store={store} />
        </EditingControls>
        <div className={classes.columns}>
          <div className={classes.column}>
            <List store={store} />
          </div>
          <div className={classes.column}>
            <Comparison store={store} />
          </div>
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
});
