import { Anchor, Button, Center, Group, Modal, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { QrCode, qrPng, qrSvg } from './QrCode.tsx';

/** Lets the browser save a file. */
function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}

/**
 * The QR code of a public address, to be scanned or saved.
 * @param name what the files are called, without an ending
 */
export function QrDialog({ address, name, onClose }: { address: string; name: string; onClose(): void }) {
  const savePng = async () => {
    const content = await qrPng(address);
    if (content) save(`${name}.png`, content);
  };
  return (
    <Modal opened onClose={onClose} title="QR code" centered size="sm">
      <Stack>
        <Center>
          <QrCode text={address} label={`QR code of ${address}`} side={280} />
        </Center>
        <Text size="sm" ta="center" style={{ overflowWrap: 'anywhere' }}>
          <Anchor href={address} target="_blank" rel="noopener">
            {address}
          </Anchor>
        </Text>
        <Group justify="center">
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => save(`${name}.svg`, new Blob([qrSvg(address)], { type: 'image/svg+xml' }))}
          >
            Save as SVG
          </Button>
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={() => void savePng()}>
            Save as PNG
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
