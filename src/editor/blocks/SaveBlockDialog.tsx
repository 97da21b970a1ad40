import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { blockSchema } from '../../contract/entities.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { useTypedAhead } from '../../ui/typed-ahead.ts';
import { SAVE_BLOCK_EVENT } from '../keys/events.ts';
import { useEditor } from '../session/editor-context.ts';
import { selectedElements } from '../session/element-actions.ts';
import { saveAsBlock } from './block-actions.ts';

/** Asks for the name of a new block, and saves the selection as one. */
export function SaveBlockDialog() {
  const editor = useEditor();
  const session = useSession();
  /** Null while it is closed. */
  const [name, setName] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const onFocus = useTypedAhead((typed) => setName((before) => (before ?? '') + typed));
  useEffect(() => {
    const abort = new AbortController();
    const openDialog = () => {
      if (!session.may('rooms', 'create')) {
        showNotification('You can’t add blocks. Ask for the right to create spaces.');
        return;
      }
      const [first, second] = selectedElements(editor);
      setError(null);
      if (first) setName(second ? '' : first.name);
    };
    addEventListener(SAVE_BLOCK_EVENT, openDialog, { signal: abort.signal });
    return () => abort.abort();
  }, [editor, session]);
  const save = () => {
    const read = blockSchema.shape.name.safeParse(name);
    if (!read.success) {
      setError(sayMessage(read.error.issues[0]!.message));
      return;
    }
    setBusy(true);
    void saveAsBlock(editor, read.data)
      .then(() => setName(null), showProblem)
      .finally(() => setBusy(false));
  };
  return (
    <Modal opened={name !== null} onClose={() => setName(null)} title="Save as block" centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            data-autofocus
            maxLength={120}
            value={name ?? ''}
            error={error}
            onFocus={onFocus}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Text size="sm" c="dimmed">
            You can add the block to any space. Its places are updated together.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setName(null)}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
