import { Button, Drawer, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/**
 * Button of a list on phones: opens a sheet with all filters, and says how many narrow the list.
 * @param count active filters
 * @param onClear removes them
 */
export function FilterSheet({ count, onClear, children }: { count: number; onClear(): void; children: ReactNode }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        variant="default"
        flex="none"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={open}
      >
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </Button>
      <Drawer
        opened={isOpen}
        onClose={close}
        position="bottom"
        size="auto"
        title="Filters"
        closeButtonProps={{ 'aria-label': 'Close the filters' }}
      >
        <Stack>
          {children}
          <Group grow>
            {count > 0 && (
              <Button variant="default" onClick={onClear}>
                Clear
              </Button>
            )}
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      </Drawer>
    </>
  );
}
