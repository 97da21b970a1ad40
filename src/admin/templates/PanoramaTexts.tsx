import { Textarea } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import type { createTemplatesStore } from './TemplatesScreen.tsx';

/** Texts about the 360° photo of a template, for people who can't see it. */
export const PanoramaTexts = observer(({ store }: { store: ReturnType<typeof createTemplatesStore> }) => {
  const { draft, errors } = store;
  const field = (name: 'alt' | 'long_description', label: string, description: string, maxRows: number) => (
    <Textarea
      label={label}
      description={description}
      autosize
      minRows={1}
      maxRows={maxRows}
      value={draft.config[name] ?? ''}
      error={errors[`config.${name}`]?.[0]}
      onChange={({ currentTarget }) => store.set({ config: { ...draft.config, [name]: currentTarget.value } })}
    />
  );
  return (
    <>
      {field('alt', 'Alternative text', 'What the 360° photo shows, for screen readers.', 4)}
      {field('long_description', 'Detailed description', 'Shown to visitors on request.', 8)}
    </>
  );
});
