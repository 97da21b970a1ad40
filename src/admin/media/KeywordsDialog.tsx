import { TagsInput } from '@mantine/core';
import type { Media } from '../../contract/entities.ts';
import { FormDialog } from '../frame/FormDialog.tsx';
import { countText } from '../stores/list-store.ts';
import type { MediaChange } from './media-files.tsx';

/** Adds keywords to many files, and removes others. */
export function KeywordsDialog({
  files,
  onSave,
  onClose,
}: {
  files: readonly Media[];
  /** @throws ApiError */
  onSave(changes: readonly MediaChange[]): Promise<void>;
  onClose(): void;
}) {
  const known = [...new Set(files.flatMap(({ keywords }) => keywords))].sort();
  return (
    <FormDialog
      title={`Keywords of ${countText(files.length, 'files')}`}
      centered
      initial={{ add: [] as string[], remove: [] as string[] }}
      action="Save"
      isComplete={({ add, remove }) => add.length + remove.length > 0}
      onSubmit={async ({ add, remove }) => {
        const changed = files.filter(
          ({ keywords }) =>
            add.some((word) => !keywords.includes(word)) || remove.some((word) => keywords.includes(word)),
        );
        await onSave(changed.map(({ id }) => ({ id, add_keywords: add, remove_keywords: remove })));
        onClose();
      }}
      onClose={onClose}
    >
      {({ draft, set, errors }) => (
        <>
          <TagsInput
            label="Add"
            data-autofocus
            value={draft.add}
            error={errors.add_keywords?.[0]}
            onChange={(add) => set({ add })}
          />
          {known.length > 0 && (
            <TagsInput
              label="Remove"
              data={known.filter((word) => !draft.add.includes(word))}
              value={draft.remove}
              onChange={(remove) => set({ remove })}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
