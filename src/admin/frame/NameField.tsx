import { TextInput, Tooltip } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { Renaming, Stamped } from '../stores/renaming.ts';

/** Inline rename field: Enter and blur save, Esc cancels. Errors show at the field. */
export function NameField<Row extends Stamped>({ row, renaming }: { row: Row; renaming: Renaming<Row> }) {
  const [before] = useState(() => renaming.nameOf(row));
  const [name, setName] = useState(before);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  // Esc unmounts the field, which also fires blur.
  const isDone = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  /** Closes the field and returns focus to the row. */
  const finish = () => {
    isDone.current = true;
    const line = document.activeElement === field.current ? field.current?.closest('[data-id]') : null;
    renaming.end(row.id);
    requestAnimationFrame(() => line?.querySelector('a')?.focus());
  };
  const save = async () => {
    if (isDone.current || isBusy) return;
    if (name.trim() === before) return finish();
    setBusy(true);
    const wrong = await renaming.save(row, name);
    setBusy(false);
    if (wrong === null) return finish();
    setProblem(wrong);
  };
  const onKey = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Enter') void save();
    if (event.key === 'Escape') finish();
  };
  return (
    <Tooltip
      label={<span role="alert">{problem}</span>}
      opened={problem !== null}
      color="red"
      multiline
      maw={320}
      position="bottom-start"
    >
      <TextInput
        ref={field}
        size="xs"
        flex={1}
        miw={0}
        aria-label={`Name of ${before}`}
        aria-busy={isBusy}
        autoFocus
        autoComplete="off"
        readOnly={isBusy}
        error={problem !== null}
        value={name}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setProblem(null);
        }}
        onKeyDown={onKey}
        onBlur={() => problem === null && void save()}
      />
    </Tooltip>
  );
}
