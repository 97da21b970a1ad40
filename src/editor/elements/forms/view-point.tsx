import { Input, Text } from '@mantine/core';
import { IconEyeCheck } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import type { ElementOf } from '../../../../engine/document/element.ts';
import { byPath } from '../../../../engine/document/field-paths.ts';
import { viewPointsOf } from '../../../../engine/document/view-points.ts';
import { panoramaProblem } from '../../../contract/template-file.ts';
import { moved, SortableList } from '../../../ui/sortable/SortableList.tsx';
import { ViewButtons } from '../../canvas/Canvas.tsx';
import { goToViewPoint, viewPointAsSeen } from '../../canvas/camera-views.ts';
import { useDraft } from '../../fields/contexts.ts';
import { Field } from '../../fields/Field.tsx';
import { FileField } from '../../fields/FileField.tsx';
import { NumericPanel } from '../../numeric-panel/NumericPanel.tsx';
import { useEditor } from '../../session/editor-context.ts';
import { titleOf } from '../../session/element-names.ts';
import type { ElementForm } from '../parts/form.ts';
import { NavigationTab } from '../parts/NavigationTab.tsx';
import { SettingsFields } from '../parts/SettingsFields.tsx';

/** The room's view points in menu order. A new order is saved immediately, because it edits several elements. */
const ViewPointOrder = observer(() => {
  const { document } = useEditor();
  const { id } = useDraft().element;
  const points = viewPointsOf(document.room.elements);
  if (points.length < 2) return null;
  const move = (from: number, to: number) =>
    document.run(
      moved(points, from, to).flatMap((point, order_rank) =>
        point.config.order_rank === order_rank
          ? []
          : [{ type: 'element.update' as const, id: point.id, fields: { config: { order_rank } } }],
      ),
      { label: 'Order of the view points' },
    );
  return (
    <Input.Wrapper label="Order in the menu" labelElement="div">
      <SortableList
        label="View points"
        items={points}
        keyOf={(point) => point.id}
        nameOf={(point) => point.config.name || titleOf(point)}
        onMove={move}
      >
        {(point) => (
          <Text
            size="sm"
            truncate
            lh="28px"
            fw={point.id === id ? 700 : undefined}
            c={point.hidden ? 'dimmed' : undefined}
          >
            {point.config.name || titleOf(point)}
          </Text>
        )}
      </SortableList>
    </Input.Wrapper>
  );
});

const View = observer(() => {
  const draft = useDraft();
  const { document } = useEditor();
  const viewPoint = draft.element as ElementOf<'view_point'>;
  return (
    <ViewButtons
      onGo={() => goToViewPoint(document, viewPoint)}
      onSet={() => {
        const fields = viewPointAsSeen(document, viewPoint);
        if (fields) draft.set(byPath(fields));
      }}
    />
  );
});

/** The panorama around visitors here, which makes the view point a place of a tour. */
const Panorama = observer(() => {
  const { element } = useDraft();
  return (
    <>
      <FileField
        label="Panorama"
        description="A 360° photo taken here. Visitors see it instead of the room while they are here."
        accept={['image']}
        problemOf={panoramaProblem}
        describes
        also={(photo) => ({
          'config.panorama_heading': photo?.heading ?? 0,
          'config.panorama_pitch': photo?.pitch ?? 0,
          'config.panorama_roll': photo?.roll ?? 0,
        })}
      />
      {element.file_id !== null && (
        <>
          <Field path="config.arrival_view" names={{ keep: 'Keep the direction', set: 'Look at the target' }} />
          <NumericPanel
            label="Alignment"
            fields={[
              { path: 'config.panorama_heading' },
              { path: 'config.panorama_pitch' },
              { path: 'config.panorama_roll' },
            ]}
          />
        </>
      )}
    </>
  );
});

function Content() {
  return (
    <>
      <View />
      <Field path="config.name" label="Name in the menu" />
      <Panorama />
      <ViewPointOrder />
      <NumericPanel
        label="Move"
        fields={[{ path: 'config.target_position' }, { path: 'config.damping_factor', step: 0.01 }]}
      />
      <NumericPanel
        label="Pulse"
        fields={[
          { path: 'config.pulse_radius' },
          { path: 'config.pulse_duration', step: 100 },
          { path: 'config.pulse_offset' },
        ]}
      />
    </>
  );
}

export const form: ElementForm = {
  icon: IconEyeCheck,
  tabs: { Content, Settings: SettingsFields, Navigation: NavigationTab },
};
