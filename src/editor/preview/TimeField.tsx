import { TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import classes from './preview.module.css';
import type { PreviewStore } from './preview-store.ts';
import { momentText, parseMoment } from './timeline-scale.ts';

/** The moment that shows; another one is typed over it. */
export const TimeField = observer(({ store }: { store: PreviewStore }) => {
  const { length, shown, earliest } = store.clock;
  const [typed, setTyped] = useState<string | null>(null);
  const wanted = typed === null ? null : parseMoment(typed, length, earliest < 0);
  const apply = () => {
    if (wanted !== null) store.seek(wanted);
    setTyped(null);
  };
  return (
    <div className={classes.moment}>
      <TextInput
        size="xs"
        w={84}
        aria-label="Time"
        title={`hours:minutes:seconds${earliest < 0 ? ', with a minus before the start' : ''}`}
        value={typed ?? momentText(shown)}
        error={typed !== null && typed !== '' && wanted === null}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={apply}
        onKeyDown={({ key, nativeEvent }) => {
          // The room behind would walk.
          nativeEvent.stopPropagation();
          if (key === 'Enter') apply();
          else if (key === 'Escape') setTyped(null);
        }}
      />
      <span>/ {momentText(length)}</span>
    </div>
  );
});
