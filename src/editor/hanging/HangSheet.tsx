import { Button, Group, Modal, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { sayMessage } from '../../ui/language/say-message.ts';
import { ChooseSheet } from '../../ui/media/ChooseSheet.tsx';
import { showProblem } from '../../ui/notifications.ts';
import { useEditor } from '../session/editor-context.ts';
import { HangFields } from './HangFields.tsx';
import classes from './hang-sheet.module.css';
import { type PreviewRow, SheetStore } from './sheet-store.ts';

const Row = ({ row, title, author, url, size, wall, problems }: PreviewRow) => (
  <Table.Tr data-out={wall === '' || undefined}>
    <Table.Td className={classes.number}>{row}</Table.Td>
    <Table.Td className={classes.image}>{url && <img src={`${url}?width=490`} alt="" loading="lazy" />}</Table.Td>
    <Table.Td>
      <span className={classes.title}>{title}</span>
      {author && <span className={classes.quiet}>{author}</span>}
      {problems.map(({ kind, text }) => (
        <span key={text} className={kind === 'note' ? classes.quiet : classes.problem}>
          {sayMessage(text)}
        </span>
      ))}
    </Table.Td>
    <Table.Td className={classes.size}>{size}</Table.Td>
    <Table.Td>{wall || <span className={classes.problem}>Left out</span>}</Table.Td>
  </Table.Tr>
);

/** How many rows are left out or have notes, as a sentence; empty if none. */
function summaryOf(rows: readonly PreviewRow[]): string {
  const left = rows.filter(({ wall }) => wall === '').length;
  const noted = rows.filter(({ wall, problems }) => wall !== '' && problems.length > 0).length;
  const counted = (count: number, text: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? 'row' : 'rows'} ${text}`];
  return [...counted(left, 'left out'), ...counted(noted, 'with notes')].join(', ');
}

/** Dialog that hangs works from a spreadsheet. @param files dropped files, with a spreadsheet; empty to choose them */
export const HangSheet = observer(({ files, onClose }: { files: readonly File[]; onClose(): void }) => {
  const editor = useEditor();
  const [store] = useState(() => new SheetStore(editor));
  const [isHanging, setHanging] = useState(false);
  const { reading } = store;
  useEffect(() => {
    void reading.take(files).catch(showProblem);
    return () => reading.uploads.cancelAll();
  }, [reading, files]);
  const { rows, count } = store;
  const hang = async () => {
    setHanging(true);
    try {
      if (await store.hang()) onClose();
    } catch (error) {
      showProblem(error);
    } finally {
      setHanging(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title="Hang from a spreadsheet" size={reading.sheet ? 960 : 520} centered>
      <ChooseSheet reading={reading} isPrimary />
      {reading.sheet && (
        <div className={classes.columns}>
          <Stack>
            <HangFields settings={store.settings} own="Real size" />
            <Button loading={isHanging} disabled={count === 0} onClick={() => void hang()}>
              Hang {count} {count === 1 ? 'work' : 'works'}
            </Button>
          </Stack>
          <div>
            <Group justify="space-between" mb={4}>
              <Text size="sm" fw={600}>
                {reading.name}
              </Text>
              <Text size="xs" c="dimmed" role="status">
                {summaryOf(rows)}
              </Text>
            </Group>
            <ScrollArea.Autosize mah="min(60dvh, 520px)" type="auto" className={classes.list}>
              <Table verticalSpacing={6} horizontalSpacing="xs" fz="xs" stickyHeader aria-label="Works">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th className={classes.number}>Row</Table.Th>
                    <Table.Th className={classes.image} aria-label="Image" />
                    <Table.Th>Work</Table.Th>
                    <Table.Th className={classes.size}>Size</Table.Th>
                    <Table.Th>Wall</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.map((row) => (
                    <Row key={row.row} {...row} />
                  ))}
                </Table.Tbody>
              </Table>
            </ScrollArea.Autosize>
          </div>
        </div>
      )}
    </Modal>
  );
});
