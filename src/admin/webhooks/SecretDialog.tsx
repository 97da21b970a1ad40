import { Alert, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { OnceDialog } from '../frame/OnceDialog.tsx';
import { Quiet } from '../frame/text.tsx';

/** Signing secret of a webhook, shown once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <OnceDialog
      title="Webhook secret"
      value={secret}
      copy={{ hasIcon: false }}
      closeOnEscape={false}
      withCloseButton={false}
      onClose={onClose}
    >
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
      <Quiet>
        Messages are signed as Standard Webhooks has it: HMAC-SHA-256 over id, time and body, in the header
        webhook-signature.
      </Quiet>
    </OnceDialog>
  );
}
