import { Input, Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { viewPointsOf } from '../../../../engine/document/view-points.ts';
import { moved, SortableList } from '../../../ui/sortable/SortableList.tsx';
import { useDraft } from '../../fields/contexts.ts';
import { useEditor } from '../../session/editor-context.ts';
import { titleOf } from '../../session/element-names.ts';

/** The view points of the room in the order of their menu. A new order is an edit at once, for it is of several elements. */
export const ViewPointOrder = observer(() => {
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
