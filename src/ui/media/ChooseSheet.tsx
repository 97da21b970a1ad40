import { Button, FileButton, Loader, Stack, Text } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { showProblem } from '../notifications.ts';
import { SHEET_FILES, type SheetReading } from './sheet-reading.ts';
import { UploadList } from './UploadList.tsx';

/**
 * Chooses a spreadsheet of works with images, and shows how it is read.
 * @param isPrimary whether choosing is the primary action of the screen
 */
export const ChooseSheet = observer(({ reading, isPrimary }: { reading: SheetReading; isPrimary: boolean }) => (
  <>
    {reading.name === '' && (
      <Stack align="center" gap="xs" py="lg">
        <IconFileSpreadsheet size={40} stroke={1.2} aria-hidden />
        <Text ta="center">Choose a spreadsheet, and with it the images that are not in the media library yet.</Text>
        <Text size="xs" c="dimmed" ta="center">
          Columns: image (file name), title, artist, year, size or width and height, text
        </Text>
        <FileButton multiple accept={SHEET_FILES} onChange={(files) => void reading.take(files).catch(showProblem)}>
          {(props) => (
            <Button {...props} variant={isPrimary ? 'filled' : 'default'}>
              Choose files
            </Button>
          )}
        </FileButton>
      </Stack>
    )}
    {reading.isReading && (
      <Stack align="center" py="lg">
        <Loader size="sm" />
        <Text size="sm">{reading.uploads.pending > 0 ? 'Uploading the images…' : `Reading ${reading.name}…`}</Text>
      </Stack>
    )}
    <UploadList store={reading.uploads} />
  </>
));
