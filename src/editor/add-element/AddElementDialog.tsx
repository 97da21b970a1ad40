import { Button, Group, Modal, SimpleGrid, Stack, Switch, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconFileSpreadsheet, IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { descriptors, type ElementType } from '../../../engine/document/element.ts';
import type { Spot } from '../../../engine/tools/camera/picker.ts';
import type { Block, Media } from '../../contract/entities.ts';
import { say } from '../../ui/language/say.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { storedText } from '../../ui/storage.ts';
import { useTypedAhead } from '../../ui/typed-ahead.ts';
import { BlockChoices } from '../blocks/BlockChoices.tsx';
import { placeBlock } from '../blocks/block-actions.ts';
import { newElement } from '../canvas/add-at.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { elementOf, placeFile } from '../canvas/import-store.ts';
import { iconOf } from '../elements/forms.ts';
import { type Editor, useEditor } from '../session/editor-context.ts';
import classes from './add-element.module.css';

const MediaManager = lazy(async () => ({ default: (await import('../../ui/media/MediaManager.tsx')).MediaManager }));

/** Media types whose file is chosen before the element is added, because without one the element is empty. */
const FIRST = ['image', 'object', 'audio'] as const;
type FirstFile = (typeof FIRST)[number];

const firstFileOf = (type: ElementType): FirstFile | undefined =>
  FIRST.find((kind) => kind === descriptors[type].madeOf);

/** Whether files are chosen later, in the edit window; stored in the browser. */
const chosenLater = storedText('enfilade.add-without-file');

const TYPES = Object.keys(descriptors) as ElementType[];

const MIDDLE: Spot = {
  position: { x: 0, y: 0, z: 0 },
  surface: { x: 0, y: 0, z: 0 },
  normal: { x: 0, y: 0, z: 0 },
  turn: 0,
};

/** The new element and its place. */
interface Wanted {
  type: ElementType;
  /** The parent group, in whose center the element is placed; null for the room. */
  parent: number | null;
  /** Position in the room; undefined places it in front of the camera. */
  spot: Spot | undefined;
}

function addFile(editor: Editor, wanted: Wanted, media: Media): void {
  const { placing } = canvasOf(editor.document).tools ?? {};
  if (wanted.parent !== null || !placing) addElement(editor, wanted, media);
  else void placeFile(editor, { media, spot: wanted.spot ?? placing.ahead() }).catch(showProblem);
}

/** Adds an element and selects it. */
function addElement(editor: Editor, { type, parent, spot }: Wanted, of?: Media): void {
  const { document, selection, ids, place } = editor;
  const [id] = ids.take() ?? [];
  if (id === undefined) return;
  const made = (of && elementOf({ media: of, spot: MIDDLE }, id)) ?? newElement(type, id);
  const { element, rest } = parent === null ? place(made, spot) : { element: made, rest: undefined };
  const step = { label: `Add ${say(descriptors[type].label)}`, merge: `add ${id}` };
  document.run({ type: 'element.add', elements: [{ ...element, parent_element_id: parent }], parent }, step);
  rest?.(step);
  selection.select(element.id);
}

function Choices({
  onChoose,
  onBlock,
  onSheet,
}: {
  onChoose(type: ElementType, file: FirstFile | undefined): void;
  onBlock(block: Block): void;
  onSheet(): void;
}) {
  const session = useSession();
  const [words, setWords] = useState('');
  const onFocus = useTypedAhead((typed) => setWords((before) => before + typed));
  const [isLater, setLater] = useState(() => chosenLater.get() !== null);
  const maySeeMedia = session.may('media', 'view_any');
  const wanted = words.trim().toLowerCase();
  const types = TYPES.filter((type) =>
    `${say(descriptors[type].label)} ${say(descriptors[type].description)}`.toLowerCase().includes(wanted),
  );
  const add = (type: ElementType | undefined) => {
    if (type) onChoose(type, isLater || !maySeeMedia ? undefined : firstFileOf(type));
  };
  return (
    <Stack>
      <TextInput
        type="search"
        aria-label="Search kinds of element"
        placeholder="Search"
        leftSection={<IconSearch size={16} aria-hidden />}
        data-autofocus
        value={words}
        onFocus={onFocus}
        onChange={(event) => setWords(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && add(types[0])}
      />
      {types.length === 0 && <Text c="dimmed">No kind of element matches.</Text>}
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="xs">
        {types.map((type) => {
          const TypeIcon = iconOf(type);
          return (
            <UnstyledButton key={type} className={classes.choice} onClick={() => add(type)}>
              <TypeIcon size={32} stroke={1.4} aria-hidden />
              <Text span fw={600} size="sm">
                {say(descriptors[type].label)}
              </Text>
              <Text span size="xs" c="dimmed">
                {say(descriptors[type].description)}
              </Text>
            </UnstyledButton>
          );
        })}
      </SimpleGrid>
      <BlockChoices words={wanted} onChoose={onBlock} />
      {maySeeMedia && (
        <Group justify="space-between">
          <Switch
            size="xs"
            label="Choose the file first"
            checked={!isLater}
            onChange={({ currentTarget: { checked } }) => {
              setLater(!checked);
              chosenLater.set(checked ? null : 'yes');
            }}
          />
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFileSpreadsheet size={16} aria-hidden />}
            onClick={onSheet}
          >
            Hang from a spreadsheet…
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/**
 * Dialog to choose the type of a new element.
 * @param parent parent group, null for the top level; undefined while the dialog is closed
 */
export function AddElementDialog({
  parent,
  onClose,
  onSheet,
}: {
  parent: number | null | undefined;
  onClose(): void;
  onSheet(): void;
}) {
  const editor = useEditor();
  /** The element to add once its file is chosen. */
  const [wanted, setWanted] = useState<(Wanted & { kind: FirstFile }) | null>(null);
  const canvas = canvasOf(editor.document);
  useEffect(() => {
    if (parent === undefined) canvas.addingAt = undefined;
  }, [canvas, parent]);
  return (
    <>
      <Modal opened={parent !== undefined} onClose={onClose} title="Add an item" size="lg" centered>
        {parent !== undefined && (
          <Choices
            onChoose={(type, kind) => {
              const chosen = { type, parent, spot: canvas.addingAt };
              onClose();
              if (kind) setWanted({ ...chosen, kind });
              else addElement(editor, chosen);
            }}
            onBlock={(block) => {
              const at = { parent, spot: canvas.addingAt };
              onClose();
              void placeBlock(editor, block, at).catch(showProblem);
            }}
            onSheet={() => {
              onClose();
              onSheet();
            }}
          />
        )}
      </Modal>
      {wanted && (
        <Suspense>
          <MediaManager
            opened
            accept={[wanted.kind]}
            onChoose={(file) => addFile(editor, wanted, file)}
            onClose={() => setWanted(null)}
          />
        </Suspense>
      )}
    </>
  );
}
