import { Button, CopyButton, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconCopy, IconQrcode } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import type { AccessToken } from '../../contract/entities.ts';
import { tokenLinkEnd } from '../../contract/token-link.ts';

const QrDialog = lazy(async () => ({ default: (await import('../frame/QrDialog.tsx')).QrDialog }));

/** The address that enters a structure with an access token, to be copied or scanned. */
export function TokenLink({ token: { id, token, endpoint } }: { token: AccessToken }) {
  const [isQrShown, { open, close }] = useDisclosure();
  const address = location.origin + endpoint.path + tokenLinkEnd(token);
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
        Whoever opens this link enters with the token, without typing it.
      </Text>
      {isQrShown && (
        <Suspense>
          <QrDialog address={address} name={`token-${id}`} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}
