import { Button, Group } from '@mantine/core';
import { IconCameraCheck, IconEye } from '@tabler/icons-react';

/** Looks through a camera of the space, or has it see what is seen now. */
export function ViewButtons({ onGo, onSet }: { onGo(): void; onSet(): void }) {
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" leftSection={<IconCameraCheck size={16} aria-hidden />} onClick={onSet}>
        Set from current view
      </Button>
      <Button size="xs" variant="default" leftSection={<IconEye size={16} aria-hidden />} onClick={onGo}>
        Go there
      </Button>
    </Group>
  );
}
