import { Menu } from '@mantine/core';
import { IconFilter, IconFilterFilled } from '@tabler/icons-react';
import { descriptors, type Element, type ElementType } from '../../../engine/document/element.ts';
import { IconAction } from '../../ui/IconAction.tsx';
import { iconOf } from '../elements/forms.ts';

/** Chooses a type of which alone elements are shown in the tree. */
export function TypeFilter({
  elements,
  value,
  onChange,
}: {
  elements: readonly Element[];
  value: ElementType | null;
  onChange(type: ElementType | null): void;
}) {
  const counts = Map.groupBy(elements, ({ element }) => element);
  const types = [...counts.keys()].sort((one, other) => descriptors[one].label.localeCompare(descriptors[other].label));
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <IconAction
          label="Filter by type"
          hint={value ? `Only ${descriptors[value].label}` : 'Filter by type'}
          isPressed={value !== null}
          icon={value ? <IconFilterFilled size={16} /> : <IconFilter size={16} />}
        />
      </Menu.Target>
      <Menu.Dropdown mah="60dvh" style={{ overflowY: 'auto' }}>
        <Menu.Item fw={value === null ? 600 : undefined} onClick={() => onChange(null)}>
          All types
        </Menu.Item>
        {types.map((type) => {
          const TypeIcon = iconOf(type);
          return (
            <Menu.Item
              key={type}
              fw={value === type ? 600 : undefined}
              leftSection={<TypeIcon size={16} aria-hidden />}
              rightSection={counts.get(type)!.length}
              onClick={() => onChange(type)}
            >
              {descriptors[type].label}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
