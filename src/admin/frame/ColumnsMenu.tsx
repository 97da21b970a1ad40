import { Button, Menu } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { type Column, useHiddenColumns } from './columns.ts';

/** Chooses which columns of a list show; the one of the names always does. */
export function ColumnsMenu<Row>({ things, columns }: { things: string; columns: readonly Column<Row>[] }) {
  const [hidden, setHidden] = useHiddenColumns(things);
  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<IconColumns3 size={16} aria-hidden />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map(({ id, label }) => (
          <Menu.CheckboxItem
            key={id}
            checked={!hidden.includes(id)}
            onChange={(shows) => setHidden(shows ? hidden.filter((name) => name !== id) : [...hidden, id])}
          >
            {label}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
