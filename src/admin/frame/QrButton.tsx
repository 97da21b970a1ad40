import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconQrcode } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';

const QrDialog = lazy(async () => ({ default: (await import('./QrDialog.tsx')).QrDialog }));

/** Shows the QR code of a URL. @param name file name without extension, to save it */
export function QrButton({ address, name, ...button }: { address: string; name: string } & ButtonProps) {
  const [isShown, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open} leftSection={<IconQrcode size={16} aria-hidden />} {...button}>
        QR code
      </Button>
      {isShown && (
        <Suspense>
          <QrDialog address={address} name={name} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
