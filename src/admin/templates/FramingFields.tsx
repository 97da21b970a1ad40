import { ColorInput, Fieldset, NumberInput, SimpleGrid } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import type { Messages } from '../../contract/errors.ts';
import type { TemplateDraft } from './TemplatesScreen.tsx';

type Framing = Pick<
  TemplateDraft['config'],
  'frame_width' | 'frame_depth' | 'frame_color' | 'mat_width' | 'mat_color' | 'contact_shadow'
>;
type Lengths = 'frame_width' | 'frame_depth' | 'mat_width' | 'contact_shadow';

/** Frames and shadows of the images in rooms of a template. */
export const FramingFields = observer(
  ({
    framing,
    errors,
    onChange,
  }: {
    framing: Framing;
    errors: Messages;
    onChange(changes: Partial<Framing>): void;
  }) => {
    const errorOf = (name: keyof Framing) => errors[`config.${name}`]?.[0];
    const number = (name: Lengths) => ({
      min: 0,
      value: framing[name],
      error: errorOf(name),
      onChange: (value: number | string) => value !== '' && onChange({ [name]: Number(value) }),
    });
    const color = (name: 'frame_color' | 'mat_color') => ({
      fixOnBlur: false,
      format: 'hex' as const,
      value: framing[name],
      error: errorOf(name),
      onChange: (value: string) => onChange({ [name]: value }),
    });
    return (
      <Fieldset legend="Frames of images">
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <NumberInput label="Frame width (units)" description="0 for no frames." {...number('frame_width')} />
          <NumberInput label="Frame depth (units)" description="12 reaches the wall." {...number('frame_depth')} />
          <ColorInput label="Frame color" description="HEX such as #2B231C." {...color('frame_color')} />
          <NumberInput label="Mat width (units)" description="Between image and frame." {...number('mat_width')} />
          <ColorInput label="Mat color" description="HEX such as #F7F6F2." {...color('mat_color')} />
          <NumberInput
            label="Shadow on the wall"
            description="Soft, from 0 to 1."
            max={1}
            step={0.1}
            {...number('contact_shadow')}
          />
        </SimpleGrid>
      </Fieldset>
    );
  },
);
