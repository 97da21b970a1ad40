import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyValue } from './CopyValue.tsx';

/** Shows a secret once: a stray click doesn't close the dialog. @param copy look of the copy button */
export function OnceDialog({
  value,
  copy,
  doneVariant,
  opened = true,
  onClose,
  children,
  ...modal
}: {
  value: string;
  copy?: Omit<Parameters<typeof CopyValue>[0], 'value'>;
  doneVariant?: 'default';
  children: ReactNode;
} & Pick<ModalProps, 'title' | 'onClose' | 'closeOnEscape' | 'withCloseButton'> & { opened?: boolean }) {
  return (
    <Modal opened={opened} onClose={onClose} size="lg" closeOnClickOutside={false} {...modal}>
      <Stack>
        {children}
        <Group justify="flex-end">
          <CopyValue value={value} {...copy} />
          <Button onClick={onClose} {...(doneVariant && { variant: doneVariant })}>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
