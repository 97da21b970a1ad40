import {
  Button,
  CloseButton,
  Fieldset,
  Group,
  Menu,
  NumberInput,
  ScrollArea,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import {
  IconBoxMultiple,
  IconEyeOff,
  IconFold,
  IconLayoutAlignBottom,
  IconLayoutAlignCenter,
  IconLayoutAlignLeft,
  IconLayoutAlignMiddle,
  IconLayoutAlignRight,
  IconLayoutAlignTop,
  IconLayoutDistributeHorizontal,
  IconLayoutDistributeVertical,
  IconLock,
  IconStack,
  IconTrash,
} from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useState } from 'react';
import { descriptors, type Element, type ElementType } from '../../../engine/document/element.ts';
import type { Axis } from '../../../engine/machines/transform.ts';
import type { Edge } from '../../../engine/tools/gestures/arrange.ts';
import { IconAction } from '../../ui/IconAction.tsx';
import { inSentence, say } from '../../ui/language/say.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { EditingControls } from '../layout/EditingControls.tsx';
import editorClasses from '../layout/editor.module.css';
import { useEditor } from '../session/editor-context.ts';
import classes from './many.module.css';
import {
  alignSelected,
  centerSelected,
  distributeSelected,
  groupSelected,
  invertSelection,
  levelSelected,
  liftSelected,
  removeSelected,
  selectAll,
  selectSameType,
  setSelected,
  sizeSelected,
  takeOver,
  ungroupSelected,
} from './many-actions.ts';
import { SharedField } from './SharedField.tsx';
import { sharedPaths } from './shared-fields.ts';

const ICON = 18;

/** Maximum space between distributed elements, in units. */
const MAX_GAP = 10_000;

/** Alignments per axis, with labels and icons. */
const ALIGN: readonly { axis: Axis; name: string; edges: readonly { edge: Edge; label: string; icon: ReactNode }[] }[] =
  [
    {
      axis: 'x',
      name: 'Across (X)',
      edges: [
        { edge: 'min', label: 'Align left edges', icon: <IconLayoutAlignLeft size={ICON} /> },
        { edge: 'middle', label: 'Align centers across', icon: <IconLayoutAlignCenter size={ICON} /> },
        { edge: 'max', label: 'Align right edges', icon: <IconLayoutAlignRight size={ICON} /> },
      ],
    },
    {
      axis: 'y',
      name: 'Up (Y)',
      edges: [
        { edge: 'min', label: 'Align lower edges', icon: <IconLayoutAlignBottom size={ICON} /> },
        { edge: 'middle', label: 'Align centers up', icon: <IconLayoutAlignMiddle size={ICON} /> },
        { edge: 'max', label: 'Align upper edges', icon: <IconLayoutAlignTop size={ICON} /> },
      ],
    },
    {
      axis: 'z',
      name: 'Depth (Z)',
      edges: [
        { edge: 'min', label: 'Align backs', icon: <IconLayoutAlignLeft size={ICON} /> },
        { edge: 'middle', label: 'Align centers in depth', icon: <IconLayoutAlignCenter size={ICON} /> },
        { edge: 'max', label: 'Align fronts', icon: <IconLayoutAlignRight size={ICON} /> },
      ],
    },
  ];

const distributeIcon = (axis: Axis) =>
  axis !== 'y' ? <IconLayoutDistributeVertical size={ICON} /> : <IconLayoutDistributeHorizontal size={ICON} />;

/** The selected elements, counted by type. */
function summary(elements: readonly Element[]): string {
  const counts = new Map<ElementType, number>();
  for (const { element } of elements) counts.set(element, (counts.get(element) ?? 0) + 1);
  return [...counts].map(([type, count]) => `${say(descriptors[type].label)}: ${count}`).join(', ');
}

/** Actions and shared fields of a multiple selection. */
export const ManyWindow = observer(({ onHang }: { onHang(): void }) => {
  const editor = useEditor();
  const { selection } = editor;
  const { elements } = selection;
  const key = selection.ids.join();
  /** Space between distributed elements, in units; undefined keeps the ends in place. */
  const [gap, setGap] = useState<number>();
  return (
    <section className={`${editorClasses.window} ${classes.window}`} aria-label="Selection window">
      <header className={classes.header}>
        <div>
          <Title order={2} size="h5">
            {elements.length} elements
          </Title>
          <Text size="xs" c="dimmed" lineClamp={2}>
            {summary(elements)}
          </Text>
        </div>
        <CloseButton aria-label="Deselect all" onClick={() => selection.select(null)} />
      </header>
      <ScrollArea className={classes.body} type="auto">
        <EditingControls>
          <Stack gap="sm" p="sm" pt={0}>
            <Group gap={6}>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconStack size={14} aria-hidden />}
                onClick={() => void groupSelected(editor)}
              >
                Group
              </Button>
              {elements.some(({ element }) => element === 'group') && (
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconFold size={14} aria-hidden />}
                  onClick={() => ungroupSelected(editor)}
                >
                  Ungroup
                </Button>
              )}
              <Button
                size="xs"
                variant="default"
                leftSection={<IconEyeOff size={14} aria-hidden />}
                onClick={() => setSelected(editor, { hidden: true })}
              >
                Hide
              </Button>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconLock size={14} aria-hidden />}
                onClick={() => setSelected(editor, { editable: false })}
              >
                Lock
              </Button>
              <Button
                size="xs"
                variant="default"
                c="light-dark(var(--mantine-color-red-7), var(--mantine-color-red-3))"
                leftSection={<IconTrash size={14} aria-hidden />}
                onClick={() => void removeSelected(editor)}
              >
                Remove
              </Button>
            </Group>
            <Fieldset legend="Align to the last selected" p="xs">
              {ALIGN.map(({ axis, name, edges }) => (
                <div key={axis} className={classes.line}>
                  <span className={classes.name}>{name}</span>
                  {edges.map(({ edge, label, icon }) => (
                    <IconAction
                      key={edge}
                      label={label}
                      icon={icon}
                      onClick={() => alignSelected(editor, axis, edge)}
                    />
                  ))}
                  <span className={classes.rule} />
                  <IconAction
                    label={`Same space between, ${inSentence(name)}`}
                    icon={distributeIcon(axis)}
                    isDisabled={elements.length < (gap === undefined ? 3 : 2)}
                    onClick={() => distributeSelected(editor, axis, gap)}
                  />
                </div>
              ))}
              <Group gap={6} mt={6} wrap="nowrap" align="center">
                <span className={classes.name}>Gap</span>
                <NumberInput
                  size="xs"
                  w={130}
                  aria-label="Gap"
                  placeholder="Equal"
                  suffix=" units"
                  min={0}
                  max={MAX_GAP}
                  value={gap ?? ''}
                  onChange={(next) =>
                    setGap(typeof next === 'number' && next >= 0 && next <= MAX_GAP ? next : undefined)
                  }
                />
              </Group>
              <Group gap={6} mt={6}>
                <Button size="compact-xs" variant="default" onClick={() => levelSelected(editor)}>
                  Same distance to the wall
                </Button>
                <Button size="compact-xs" variant="default" onClick={() => liftSelected(editor)}>
                  Center at eye level
                </Button>
                <Button size="compact-xs" variant="default" onClick={() => centerSelected(editor)}>
                  Center on the wall
                </Button>
                {elements.some(({ element }) => element === 'image') && (
                  <Button size="compact-xs" variant="default" onClick={onHang}>
                    Hang on walls…
                  </Button>
                )}
              </Group>
            </Fieldset>
            <Fieldset legend="Like the last selected" p="xs">
              <Group gap={6}>
                {(['width', 'height', 'both'] as const).map((side) => (
                  <Button key={side} size="compact-xs" variant="default" onClick={() => sizeSelected(editor, side)}>
                    {{ width: 'Same width', height: 'Same height', both: 'Same size' }[side]}
                  </Button>
                ))}
                {(['link', 'times', 'places'] as const).map((what) => (
                  <Button key={what} size="compact-xs" variant="default" onClick={() => takeOver(editor, what)}>
                    Same {what}
                  </Button>
                ))}
              </Group>
            </Fieldset>
            {(['position', 'rotation', 'scale'] as const).map((part) => (
              <Fieldset key={part} legend={{ position: 'Position', rotation: 'Rotation', scale: 'Scale' }[part]} p="xs">
                <SimpleGrid cols={3} spacing={6}>
                  {['x', 'y', 'z'].map((axis) => (
                    <SharedField key={`${key} ${axis}`} elements={elements} path={`${part}_${axis}`} isBare />
                  ))}
                </SimpleGrid>
              </Fieldset>
            ))}
            {sharedPaths(elements).map((path) => (
              <SharedField key={`${key} ${path}`} elements={elements} path={path} />
            ))}
          </Stack>
        </EditingControls>
      </ScrollArea>
    </section>
  );
});

/** Menu to select several elements, and to group them. */
export const SelectMenu = observer(() => {
  const editor = useEditor();
  const { selection, document } = editor;
  const store = canvasOf(document);
  const { isReadOnly } = document;
  const isNone = selection.ids.length === 0;
  const holdsGroup = selection.elements.some(({ element }) => element === 'group');
  const items: readonly { label: string; keys: string; isDisabled?: boolean; act(): void }[] = [
    { label: 'Select all', keys: 'Ctrl A', act: () => selectAll(editor) },
    { label: 'Invert the selection', keys: 'Ctrl I', act: () => invertSelection(editor) },
    { label: 'Select the same type', keys: 'Ctrl Shift A', isDisabled: isNone, act: () => selectSameType(editor) },
    { label: 'Draw a box', keys: 'B', act: () => store.tools?.armBox(true) },
    { label: 'Group', keys: 'Ctrl G', isDisabled: isNone || isReadOnly, act: () => void groupSelected(editor) },
    {
      label: 'Ungroup',
      keys: 'Ctrl Shift G',
      isDisabled: !holdsGroup || isReadOnly,
      act: () => ungroupSelected(editor),
    },
  ];
  return (
    <Menu position="top-start" withinPortal>
      <Menu.Target>
        <Button
          size="xs"
          variant={store.isBoxArmed ? 'filled' : 'default'}
          leftSection={<IconBoxMultiple size={16} aria-hidden />}
        >
          Select
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ label, keys, isDisabled, act }) => (
          <Menu.Item key={label} disabled={isDisabled} rightSection={<kbd>{keys}</kbd>} onClick={act}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});
