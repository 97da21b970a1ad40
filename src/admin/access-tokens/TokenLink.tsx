import { Button, CopyButton, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconCopy, IconQrcode } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import type { AccessToken } from '../../contract/entities.ts';
import { tokenLinkEnd } from '../../contract/token-link.ts';
import { useSession } from '../../ui/session/session-context.ts';

const QrDialog = lazy(async () => ({ default: (await import('../frame/QrDialog.tsx')).QrDialog }));

/** URL that includes the access token, to copy or scan. */
export function TokenLink({ token: { id, token, endpoint } }: { token: AccessToken }) {
  const [isQrShown, { open, close }] = useDisclosure();
  const address = useSession().addressOf(endpoint.path + tokenLinkEnd(token));
  return (
    <div>
      <Group gap="xs">
        <CopyButton value={address}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              size="xs"
              onClick={copy}
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            >
              {copied ? 'Copied' : 'Copy link'}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" size="xs" onClick={open} leftSection={<IconQrcode size={16} aria-hidden />}>
          QR code
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        Anyone who opens this link enters without typing the token.
      </Text>
      {isQrShown && (
        <Suspense>
          <QrDialog address={address} name={`token-${id}`} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}
