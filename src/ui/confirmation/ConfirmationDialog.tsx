import { Button, Checkbox, Group, getDefaultZIndex, Modal, Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useRef, useState } from 'react';
import { confirmation, type Question } from './confirmation-store.ts';

/** Above every other dialog: a question may come out of one. */
const ABOVE = getDefaultZIndex('popover') + 1;

// From before any dialog is there, so that it hears of Esc first, and the dialog that asks does not close with the question.
addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Escape' || !confirmation.question) return;
    event.stopImmediatePropagation();
    confirmation.answer(null);
  },
  { capture: true },
);

/** Shows the question that `confirm` asks; stands once in every app. */
export const ConfirmationDialog = observer(() => {
  const { question } = confirmation;
  // While the dialog fades out, it keeps saying what it said.
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
          label="Don't ask again before what is easily undone"
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
