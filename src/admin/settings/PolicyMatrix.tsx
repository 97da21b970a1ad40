import { Checkbox, Select, Table, Text, UnstyledButton } from '@mantine/core';
import {
  AREAS,
  type Area,
  isSubset,
  type Policies,
  PRESET_NAMES,
  PRESETS,
  type Preset,
  presetOf,
  RIGHTS,
  type Right,
} from '../../contract/entities.ts';

const AREA_NAMES: Record<Area, string> = {
  endpoints: 'Structures',
  rooms: 'Spaces',
  live_streams: 'Live streams',
  access_tokens: 'Access tokens',
  settings: 'Settings',
  templates: 'Templates',
  media: 'Media',
};
const NO_RIGHTS = { view_any: false, create: false, update: false, delete: false };

export const noPolicies = (): Policies => Object.fromEntries(AREAS.map((area) => [area, { ...NO_RIGHTS }])) as Policies;

const RIGHT_NAMES: Record<Right, string> = { view_any: 'See', create: 'Add', update: 'Change', delete: 'Remove' };

/** Label and description of each preset. */
const PRESET_WORDS: Record<Preset, { label: string; description: string }> = {
  administrator: { label: 'Administrator', description: 'Everything, users and settings included.' },
  editor: { label: 'Editor', description: 'Builds and publishes: structures, spaces, templates, media, live streams.' },
  operator: {
    label: 'Operator',
    description: 'Runs events: manages access tokens and live streams, opens and closes structures.',
  },
  reader: { label: 'Reader', description: 'Sees everything except settings and changes nothing.' },
};

/** Value for rights that match no preset. */
const OWN = 'own';

const describe = (preset: Preset | typeof OWN): string =>
  preset === OWN ? 'A set of rights for a role.' : PRESET_WORDS[preset].description;

/** Row or column heading that toggles all its checkboxes. */
const Toggle = ({ label, isOff, onToggle }: { label: string; isOff: boolean; onToggle(): void }) =>
  isOff ? (
    label
  ) : (
    <UnstyledButton fz="inherit" fw="inherit" aria-label={`All: ${label}`} onClick={onToggle}>
      {label}
    </UnstyledButton>
  );

/** Rights by area: presets and a checkbox table. */
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
  /** The current user's rights; nobody can grant rights they don't have. */
  grantable: Policies;
  disabled?: boolean;
  error?: string;
  onChange(policies: Policies): void;
}) {
  const set = (area: Area, right: Right, value: boolean) => {
    const rights = { ...policies[area], [right]: value };
    // Create, update and delete imply view.
    if (right === 'view_any' && !value) Object.assign(rights, { create: false, update: false, delete: false });
    else if (value && grantable[area].view_any) rights.view_any = true;
    onChange({ ...policies, [area]: rights });
  };
  /** Toggles a row or column, within the rights the user may grant. */
  const toggle = (areas: readonly Area[], rights: readonly Right[]) => {
    const cells = areas.flatMap((area) => rights.map((right) => [area, right] as const));
    const given = cells.filter(([area, right]) => grantable[area][right]);
    const value = given.some(([area, right]) => !policies[area][right]);
    const next = structuredClone(policies);
    for (const [area, right] of given) {
      next[area][right] = value;
      if (value && grantable[area].view_any) next[area].view_any = true;
      if (!value && right === 'view_any') Object.assign(next[area], { create: false, update: false, delete: false });
    }
    onChange(next);
  };
  const preset = presetOf(policies) ?? OWN;
  const isNone = AREAS.every((area) => RIGHTS.every((right) => !policies[area][right]));
  return (
    <div>
      <Select
        label="Preset"
        description={describe(preset)}
        placeholder="Choose one, or tick below"
        mb="sm"
        maw={400}
        disabled={disabled}
        allowDeselect={false}
        data={[
          ...PRESET_NAMES.map((value) => ({
            value,
            label: PRESET_WORDS[value].label,
            disabled: !isSubset(PRESETS[value], grantable),
          })),
          ...(preset === OWN && !isNone ? [{ value: OWN, label: 'Custom' }] : []),
        ]}
        value={isNone ? null : preset}
        onChange={(value) => value && value !== OWN && onChange(PRESETS[value as Preset])}
      />
      <Table.ScrollContainer minWidth={290}>
        <Table withTableBorder verticalSpacing="xs" horizontalSpacing="xs" aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{label}</Table.Th>
              {RIGHTS.map((right) => (
                <Table.Th key={right}>
                  <Toggle label={RIGHT_NAMES[right]} isOff={disabled} onToggle={() => toggle(AREAS, [right])} />
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {AREAS.map((area) => (
              <Table.Tr key={area}>
                <Table.Th scope="row" fw={500}>
                  <Toggle label={AREA_NAMES[area]} isOff={disabled} onToggle={() => toggle([area], RIGHTS)} />
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
