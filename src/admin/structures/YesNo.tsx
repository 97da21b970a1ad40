import { Input, SegmentedControl } from '@mantine/core';
import { useId } from '@mantine/hooks';

/** Segmented control with two labeled values. */
export function YesNo({
  label,
  yes,
  no,
  value,
  onChange,
}: {
  label: string;
  yes: string;
  no: string;
  value: boolean;
  onChange(value: boolean): void;
}) {
  const id = useId();
  return (
    <Input.Wrapper label={label} labelElement="div" labelProps={{ id }}>
      <div>
        <SegmentedControl
          mt={4}
          aria-labelledby={id}
          data={[
            { value: '1', label: yes },
            { value: '0', label: no },
          ]}
          value={value ? '1' : '0'}
          onChange={(next) => onChange(next === '1')}
        />
      </div>
    </Input.Wrapper>
  );
}
