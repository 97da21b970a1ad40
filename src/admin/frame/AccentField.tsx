import { Anchor, ColorInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { accentOf } from '../../contract/accent-color.ts';
import type { Form } from './fields.ts';
import { useLoaded } from './Loaded.tsx';

/** Accent color of an entry that overrides the one it inherits. @param template the template that comes before the organization */
export const AccentField = observer(
  ({
    store,
    template = null,
  }: {
    store: Form<{ accent_color: string | null }>;
    template?: { name: string; accent_color: string | null } | null;
  }) => {
    const { value: organization } = useLoaded(({ visit }) => visit.settings());
    const { accent_color: own } = store.draft;
    const { from, color } = accentOf(organization ?? { accent_color: null }, {
      accent_color: null,
      room: { template },
    });
    const source = from === 'template' && template ? `the template ${template.name}` : 'the organization';
    return (
      <ColorInput
        fixOnBlur={false}
        label="Accent color"
        name="accent_color"
        description={
          <>
            For buttons and marks on visitors’ pages, HEX such as #1F7A78.{' '}
            {own === null ? (
              `Inherited from ${source}.`
            ) : (
              <Anchor component="button" type="button" fz="inherit" onClick={() => store.set({ accent_color: null })}>
                Reset to {source}
              </Anchor>
            )}
          </>
        }
        placeholder={color ?? 'Brass'}
        format="hex"
        maw={320}
        eyeDropperButtonProps={{ 'aria-label': 'Pick an accent color from the screen' }}
        value={own ?? ''}
        error={store.errors.accent_color?.[0]}
        onChange={(value) => store.set({ accent_color: value || null })}
      />
    );
  },
);
