import { Alert, Button, CopyButton, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';

/** Signing secret of a webhook, shown once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      title="Webhook secret"
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="Copy it now">
          It is not shown again. The receiver uses it to verify signatures.
        </Alert>
        <TextInput
          label="Secret"
          readOnly
          value={secret}
          ff="monospace"
          onFocus={(event) => event.currentTarget.select()}
        />
        <Text size="sm" c="dimmed">
          Messages are signed as Standard Webhooks has it: HMAC-SHA-256 over id, time and body, in the header
          webhook-signature.
        </Text>
        <Group justify="flex-end">
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
