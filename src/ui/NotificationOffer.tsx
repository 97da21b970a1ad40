import { Button, Group } from '@mantine/core';

/** Notification text with an action. */
export function NotificationOffer({ text, label, onPress }: { text: string; label: string; onPress(): void }) {
  return (
    <Group gap="sm" justify="space-between" wrap="nowrap">
      {text}
      <Button size="compact-sm" variant="default" flex="none" onClick={onPress}>
        {label}
      </Button>
    </Group>
  );
}
