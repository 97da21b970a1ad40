import { Checkbox, Table, Text } from '@mantine/core';
import { AREAS, type Area, type Policies, RIGHTS, type Right } from '../../contract/entities.ts';

const AREA_NAMES: Record<Area, string> = {
  endpoints: 'Structures',
  rooms: 'Spaces',
  live_streams: 'Live streams',
  access_tokens: 'Access tokens',
  settings: 'Settings',
  templates: 'Templates',
  media: 'Media',
};
const RIGHT_NAMES: Record<Right, string> = { view_any: 'See', create: 'Add', update: 'Change', delete: 'Remove' };

/** Rights by area, as a table of check boxes. */
export function PolicyMatrix({
  label,
  policies,
  grantable,
  disabled = false,
  error,
  onChange,
}: {
  label: string;
  policies: Policies;
  /** Rights of the asking user: nobody gives what they don't have. */
  grantable: Policies;
  disabled?: boolean;
  error?: string;
  onChange(policies: Policies): void;
}) {
  const set = (area: Area, right: Right, value: boolean) => {
    const rights = { ...policies[area], [right]: value };
    // Whoever may add, change or remove has to see.
    if (right === 'view_any' && !value) Object.assign(rights, { create: false, update: false, delete: false });
    else if (value && grantable[area].view_any) rights.view_any = true;
    onChange({ ...policies, [area]: rights });
  };
  return (
    <div>
      <Table.ScrollContainer minWidth={290}>
        <Table withTableBorder verticalSpacing="xs" horizontalSpacing="xs" aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{label}</Table.Th>
              {RIGHTS.map((right) => (
                <Table.Th key={right}>{RIGHT_NAMES[right]}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {AREAS.map((area) => (
              <Table.Tr key={area}>
                <Table.Th scope="row" fw={500}>
                  {AREA_NAMES[area]}
                </Table.Th>
                {RIGHTS.map((right) => (
                  <Table.Td key={right}>
                    <Checkbox
                      aria-label={`${AREA_NAMES[area]}: ${RIGHT_NAMES[right]}`}
                      checked={policies[area][right]}
                      disabled={disabled || (!grantable[area][right] && !policies[area][right])}
                      onChange={(event) => set(area, right, event.currentTarget.checked)}
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {error && (
        <Text size="sm" c="red" mt={4} role="alert">
          {error}
        </Text>
      )}
    </div>
  );
}
