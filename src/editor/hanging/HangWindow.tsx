import { Button, CloseButton, Group, ScrollArea, Stack, Text, Title } from '@mantine/core';
import { autorun } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useEffect, useMemo, useState } from 'react';
import type { RoomCommand } from '../../../engine/document/commands.ts';
import { findElement } from '../../../engine/document/tree.ts';
import type { ElementChange } from '../../../engine/tools/marks/shown-fields.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import editorClasses from '../layout/editor.module.css';
import manyClasses from '../many/many.module.css';
import { type Editor, useEditor } from '../session/editor-context.ts';
import { HangFields } from './HangFields.tsx';
import { hangImages, selectedImages } from './hang-selection.ts';
import { HangSettings } from './hang-settings.ts';

const updates = (changes: readonly ElementChange[]): RoomCommand[] =>
  changes.map(({ id, fields }) => ({ type: 'element.update', id, fields }));

/** Shows changes on the canvas that are not in the document. @returns a function that shows the document again */
function preview({ document }: Editor, changes: readonly ElementChange[]): () => void {
  const { tools } = canvasOf(document);
  tools?.patch(...updates(changes));
  return () => {
    const { elements } = document.room;
    const restored = changes.flatMap(({ id, fields }): ElementChange | never[] => {
      const element = findElement(elements, id);
      if (!element) return [];
      const names = Object.keys(fields) as (keyof typeof element)[];
      return { id, fields: Object.fromEntries(names.map((name) => [name, element[name]])) };
    });
    canvasOf(document).tools?.patch(...updates(restored));
  };
}

const countOf = (count: number) => `${count} ${count === 1 ? 'image' : 'images'}`;

/** Hangs the selected images on walls. The canvas shows the result before it is applied. */
export const HangWindow = observer(({ onClose }: { onClose(): void }) => {
  const editor = useEditor();
  const { document, selection } = editor;
  const [settings] = useState(() => new HangSettings(document, canvasOf(document).eyeLevel));
  const key = selection.ids.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the images are those of the selection.
  const images = useMemo(() => selectedImages(editor), [editor, key, document.room]);
  const plan = hangImages(document.room, images, settings);
  useEffect(() => {
    let stop: (() => void) | undefined;
    const stopRun = autorun(() => {
      const { changes } = hangImages(document.room, selectedImages(editor), settings);
      stop?.();
      stop = preview(editor, changes);
    });
    return () => {
      stopRun();
      stop?.();
    };
  }, [editor, document, settings]);
  const hang = () => {
    document.run(updates(plan.changes), { label: `Hang ${countOf(plan.changes.length)}` });
    onClose();
  };
  return (
    <section className={`${editorClasses.window} ${manyClasses.window}`} aria-label="Hang on walls">
      <header className={manyClasses.header}>
        <div>
          <Title order={2} size="h5">
            Hang on walls
          </Title>
          <Text size="xs" c="dimmed">
            {countOf(images.length)}
          </Text>
        </div>
        <CloseButton aria-label="Cancel" onClick={onClose} />
      </header>
      <ScrollArea className={manyClasses.body} type="auto">
        <Stack gap="sm" p="sm" pt={0}>
          <HangFields settings={settings} own="Keep" />
          {plan.left > 0 && images.length > 0 && (
            <Text size="xs" role="status">
              {plan.left === images.length
                ? 'The images fit'
                : `${countOf(plan.left)} ${plan.left === 1 ? 'fits' : 'fit'}`}{' '}
              on none of these walls. Choose more walls, several rows, or a smaller gap.
            </Text>
          )}
          <Group gap="xs">
            <Button size="xs" disabled={plan.changes.length === 0} onClick={hang}>
              Hang {countOf(plan.changes.length)}
            </Button>
            <Button size="xs" variant="default" onClick={onClose}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </ScrollArea>
    </section>
  );
});
