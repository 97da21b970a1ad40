import { Anchor, Button, Center, Group, Modal, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { saveFile } from '../../ui/save-file.ts';
import { QrCode, qrPng, qrSvg } from './QrCode.tsx';

/**
 * QR code of a public URL, to scan or save.
 * @param name file name without extension
 */
export function QrDialog({ address, name, onClose }: { address: string; name: string; onClose(): void }) {
  const savePng = async () => {
    const content = await qrPng(address);
    if (content) saveFile(`${name}.png`, content, 'image/png');
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
            onClick={() => saveFile(`${name}.svg`, qrSvg(address), 'image/svg+xml')}
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
