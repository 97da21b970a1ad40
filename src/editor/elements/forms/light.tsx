import { Select, Stack } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import type { ElementOf } from '../../../../engine/document/element.ts';
import { useDraft } from '../../fields/contexts.ts';
import { Field } from '../../fields/Field.tsx';
import { NumericPanel } from '../../numeric-panel/NumericPanel.tsx';
import { useEditor } from '../../session/editor-context.ts';
import { titleOf } from '../../session/element-names.ts';
import type { ElementForm } from '../parts/form.ts';
import { SettingsFields } from '../parts/SettingsFields.tsx';

type Light = ElementOf<'light'>['config'];

const LIGHT_TYPES = {
  point_light: 'Point',
  directional_light: 'Directional',
  spot_light: 'Spot',
  hemisphere_light: 'Hemisphere',
  ambient_light: 'Ambient',
};

/** Target of a spot or directional light. */
const Target = observer(({ target }: { target: Light['target'] }) => {
  const draft = useDraft();
  const { room } = useEditor().document;
  const set = (changes: object) => draft.set({ 'config.target': { ...target, ...changes } });
  const others = room.elements.filter(({ id }) => id !== draft.element.id);
  return (
    <>
      <Select
        label="Target"
        allowDeselect={false}
        data={[
          { value: 'Position', label: 'Position' },
          { value: 'Element', label: 'Element' },
        ]}
        value={target.type}
        onChange={(type) => type && set({ type })}
      />
      {target.type === 'Position' ? (
        <NumericPanel label="Target" fields={[{ path: 'config.target.position', label: 'Target position (units)' }]} />
      ) : (
        <Select
          label="Target element"
          placeholder="Choose an element"
          searchable
          clearable
          data={others.map((element) => ({ value: String(element.id), label: titleOf(element) }))}
          value={target.element_id === null ? null : String(target.element_id)}
          onChange={(id) => set({ element_id: id === null ? null : Number(id) })}
        />
      )}
    </>
  );
});

const Content = observer(() => {
  const { config } = useDraft().element as ElementOf<'light'>;
  const kind = config.light_type;
  const isSpot = kind === 'spot_light';
  const reaches = isSpot || kind === 'point_light';
  const isAimed = isSpot || kind === 'directional_light';
  const hasShadow = reaches || isAimed;
  return (
    <Stack gap="sm">
      <Field path="config.light_type" names={LIGHT_TYPES} />
      <Field path="config.color" />
      <NumericPanel
        label="Light"
        fields={[
          { path: 'config.intensity', step: 0.1 },
          ...(reaches ? [{ path: 'config.distance', step: 10 }, { path: 'config.decay' }] : []),
          ...(isSpot
            ? [
                { path: 'config.angle', label: 'Angle (degrees)', unit: 'degrees' as const, step: 1 },
                { path: 'config.penumbra' },
              ]
            : []),
          ...(hasShadow ? [{ path: 'config.near' }, { path: 'config.far', step: 10 }] : []),
        ]}
      />
      {isAimed && <Target target={config.target} />}
      {hasShadow && <Field path="config.cast_shadow" />}
    </Stack>
  );
});

export const form: ElementForm = { icon: IconBulb, tabs: { Content, Settings: SettingsFields } };
