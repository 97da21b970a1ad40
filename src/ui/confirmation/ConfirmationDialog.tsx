import { Button, Checkbox, Group, getDefaultZIndex, Modal, Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useRef, useState } from 'react';
import { confirmation, type Question } from './confirmation-store.ts';

/** Above all other dialogs, which may open it. */
const ABOVE = getDefaultZIndex('popover') + 1;

// Registered before any dialog so that Esc closes only the confirmation.
addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Escape' || !confirmation.question) return;
    event.stopImmediatePropagation();
    confirmation.answer(null);
  },
  { capture: true },
);

/** Renders the open confirmation; mount once per app. */
export const ConfirmationDialog = observer(() => {
  const { question } = confirmation;
  // Keep the content while the dialog fades out.
  const last = useRef<Question | null>(null);
  const [isLast, setLast] = useState(false);
  if (question) last.current = question;
  const shown = question ?? last.current;
  return (
    <Modal
      opened={question !== null}
      onClose={() => confirmation.answer(null)}
      title={shown?.title}
      centered
      zIndex={ABOVE}
    >
      <Text>{shown?.text}</Text>
      {shown?.isOptional && (
        <Checkbox
          mt="md"
          label="Don't ask again for changes that can be undone"
          checked={isLast}
          onChange={(event) => setLast(event.currentTarget.checked)}
        />
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => confirmation.answer(null)}>
          Cancel
        </Button>
        {shown?.alternative && (
          <Button variant="default" onClick={() => confirmation.answer('alternative')}>
            {shown.alternative}
          </Button>
        )}
        <Button
          color={shown?.destroys ? 'red' : undefined}
          data-autofocus
          onClick={() => {
            if (shown?.isOptional && isLast) confirmation.setAsksOptional(false);
            setLast(false);
            confirmation.answer('action');
          }}
        >
          {shown?.action}
        </Button>
      </Group>
    </Modal>
  );
});
