import { NativeSelect, SegmentedControl } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import classes from './preview.module.css';
import { type Beginning, PHONES, type PreviewScreenKind, type PreviewStore } from './preview-store.ts';

const sizeOf = ({ width, height }: { width: number; height: number }) => `${width} × ${height}`;

const SCREENS: readonly { value: PreviewScreenKind; label: string; title: string }[] = [
  { value: 'window', label: 'Window', title: 'As large as this window' },
  { value: 'portrait', label: 'Portrait', title: `A phone, ${sizeOf(PHONES.portrait)}` },
  { value: 'landscape', label: 'Landscape', title: `A phone on its side, ${sizeOf(PHONES.landscape)}` },
];

/** On what a room is previewed, and as whom. */
export const PreviewOptions = observer(({ store }: { store: PreviewStore }) => (
  <div className={classes.options}>
    <SegmentedControl
      size="xs"
      aria-label="Screen"
      value={store.screen}
      onChange={(value) => store.show(value as PreviewScreenKind)}
      data={SCREENS.map(({ value, label, title }) => ({ value, label: <span title={title}>{label}</span> }))}
    />
    <NativeSelect
      size="xs"
      aria-label="Begin"
      value={store.beginning}
      onChange={({ currentTarget }) => store.begin(currentTarget.value as Beginning)}
      data={[
        { value: 'room', label: 'In the room' },
        { value: 'entrance', label: 'At the entrance' },
        ...(store.opening ? [{ value: 'countdown', label: 'Before it opens' }] : []),
      ]}
    />
    {store.isProtected && (
      <NativeSelect
        size="xs"
        aria-label="Visitor"
        value={store.hasToken ? 'with' : 'without'}
        onChange={({ currentTarget }) => store.visit(currentTarget.value === 'with')}
        data={[
          { value: 'with', label: 'With access token' },
          { value: 'without', label: 'Without access token' },
        ]}
      />
    )}
  </div>
));
