import { Alert, Button, CopyButton, Group, Modal, Stack, TextInput } from '@mantine/core';
import { IconCheck, IconCopy, IconMailOff } from '@tabler/icons-react';

/** A set-password link that could not be emailed. */
export interface PasswordLink {
  /** Name of the user. */
  name: string;
  link: string;
  /** Lifetime, such as "within an hour". */
  lifetime: string;
}

/** Shows a set-password link for the administrator to pass on. */
export function PasswordLinkDialog({ shown, onClose }: { shown: PasswordLink | null; onClose(): void }) {
  return (
    <Modal
      opened={shown !== null}
      onClose={onClose}
      title="Link to set a password"
      size="lg"
      closeOnClickOutside={false}
    >
      {shown && (
        <Stack>
          <Alert color="brass" icon={<IconMailOff aria-hidden />} title="No email was sent">
            No mail server is set up. Send this link to {shown.name} yourself.
          </Alert>
          <TextInput
            label="Link"
            description={`It works once, ${shown.lifetime}. It is not shown again.`}
            readOnly
            value={shown.link}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Group justify="flex-end">
            <CopyButton value={shown.link}>
              {({ copied, copy }) => (
                <Button
                  onClick={copy}
                  leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
                >
                  {copied ? 'Copied' : 'Copy link'}
                </Button>
              )}
            </CopyButton>
            <Button variant="default" onClick={onClose}>
              Done
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
