import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Messages } from '../../contract/errors.ts';
import { useSubmit } from './use-submit.ts';

/** Dialog with a form: shows field errors at the fields and other errors as notifications. */
export function FormDialog({
  action,
  onSubmit,
  onClose,
  children,
  ...modal
}: {
  /** Label of the submit button. */
  action: string;
  /** @throws ApiError with the invalid fields */
  onSubmit(): Promise<unknown>;
  onClose(): void;
  /** Renders the fields. */
  children(errors: Messages): ReactNode;
} & Pick<ModalProps, 'title' | 'size' | 'centered'>) {
  const { errors, isBusy, onSubmit: submit } = useSubmit(onSubmit);
  return (
    <Modal opened onClose={onClose} {...modal}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {children(errors)}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
