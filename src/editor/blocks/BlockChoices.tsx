import { SimpleGrid, Text, Title, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconComponents } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Block } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';
import classes from '../add-element/add-element.module.css';
import { useEditor } from '../session/editor-context.ts';

/** Debounce in milliseconds. */
const DEBOUNCE = 300;
/** Maximum number of blocks; a search finds the others. */
const MAX_SHOWN = 12;

/** Blocks to add, by name. @param words text to search for */
export function BlockChoices({ words, onChoose }: { words: string; onChoose(block: Block): void }) {
  const { client } = useEditor();
  const [search] = useDebouncedValue(words, DEBOUNCE);
  const [found, setFound] = useState<{ blocks: readonly Block[]; total: number }>({ blocks: [], total: 0 });
  useEffect(() => {
    let isCurrent = true;
    client.blocks
      .list({ query: { per_page: MAX_SHOWN, ...(search && { search }) } })
      .then(({ data, meta }) => isCurrent && setFound({ blocks: data, total: meta.total }), showProblem);
    return () => {
      isCurrent = false;
    };
  }, [client, search]);
  const { blocks, total } = found;
  if (blocks.length === 0) return null;
  return (
    <>
      <Title order={3} size="sm">
        Blocks
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="xs">
        {blocks.map((block) => (
          <UnstyledButton key={block.id} className={classes.choice} onClick={() => onChoose(block)}>
            <IconComponents size={32} stroke={1.4} aria-hidden />
            <Text span fw={600} size="sm">
              {block.name}
            </Text>
            <Text span size="xs" c="dimmed">
              {block.element_count === 1 ? '1 element' : `${block.element_count} elements`}
            </Text>
          </UnstyledButton>
        ))}
      </SimpleGrid>
      {total > blocks.length && (
        <Text size="xs" c="dimmed">
          {total - blocks.length} more. Search by name.
        </Text>
      )}
    </>
  );
}
