import { Select, SimpleGrid, Stack, Switch } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import type { ElementOf } from '../../../engine/document/element.ts';
import { type Navigation, navigationSchema } from '../../../engine/document/navigation.ts';
import { viewPointsOf } from '../../../engine/document/view-points.ts';
import type { EndpointListRow } from '../../contract/entities.ts';
import { type Choice, EntrySelect } from '../../ui/EntrySelect.tsx';
import { NAVIGATION_NAMES } from '../../ui/navigation-names.ts';
import { NumberField } from '../fields/NumberField.tsx';
import { LineField } from '../fields/TextFields.tsx';
import { RichTextField } from '../rich-text/RichTextField.tsx';
import { useEditor } from '../session/editor-context.ts';
import { titleOf } from '../session/element-names.ts';

interface Props {
  value: Navigation;
  /** Error text by path in the navigation, such as `type_config.url`. */
  errorOf(path: string): string | undefined;
  onChange(value: Navigation): void;
}

type Of<T extends Navigation['type']> = Extract<Navigation, { type: T }>;

/** A structure as a choice, with its public path. */
interface EndpointChoice extends Choice {
  path: string;
}

/** Structures as choices; those that show the edited room are disabled. */
const choicesOf = (list: readonly EndpointListRow[], roomId: number): EndpointChoice[] =>
  list.map(({ id, name, path, room, poster_url }) => ({
    id,
    name: `${name} (${path})`,
    path,
    isDisabled: room?.id === roomId,
    poster: poster_url,
  }));

/** Options shown at once. */
const MAX_FOUND = 100;

const SpaceLink = observer(({ value, errorOf, onChange }: Props & { value: Of<'space'> }) => {
  const { client, roomId } = useEditor();
  const { endpoint, endpoint_url } = value.type_config;
  const found = useRef<EndpointChoice[]>([]);
  const find = async (words: string) => {
    // The field shows the path after the name, but the server searches names only.
    const search = words.split(' (/')[0];
    const { data } = await client.endpoints.rows({ query: { ...(search && { search }), per_page: MAX_FOUND } });
    found.current = choicesOf(data, roomId);
    return found.current;
  };
  return (
    <EntrySelect
      label="Space"
      description="Structures that show this space can't be chosen."
      placeholder="Choose a structure"
      error={errorOf('type_config.endpoint')}
      find={find}
      chosen={endpoint === null ? null : { id: endpoint, name: endpoint_url || `Structure ${endpoint}` }}
      value={endpoint === null ? null : String(endpoint)}
      onChange={(id) => {
        const chosen = found.current.find((choice) => String(choice.id) === id);
        const { arrival } = value.type_config;
        // View points belong to the old space.
        const kept = typeof arrival === 'object' && arrival ? { ...arrival, view_point_id: null } : arrival;
        const type_config = { endpoint: chosen?.id ?? null, endpoint_url: chosen?.path ?? '', arrival: kept };
        onChange({ type: 'space', type_config });
      }}
    />
  );
});

const ViewPointLink = observer(({ value, onChange }: Props & { value: Of<'view_point'> }) => {
  const { room } = useEditor().document;
  const points = room.elements.filter(({ element }) => element === 'view_point');
  const { view_point_id } = value.type_config;
  return (
    <Select
      label="View point"
      placeholder={points.length === 0 ? 'This space has no view points' : 'Choose a view point'}
      searchable
      clearable
      data={points.map((point) => ({ value: String(point.id), label: titleOf(point) }))}
      value={view_point_id === null ? null : String(view_point_id)}
      onChange={(id) =>
        onChange({
          type: 'view_point',
          type_config: { ...value.type_config, view_point_id: id === null ? null : Number(id) },
        })
      }
    />
  );
});

/** View points of a structure's space, by id; none until they are loaded. */
function usePlaces(endpoint: number | null): readonly ElementOf<'view_point'>[] {
  const { client } = useEditor();
  const [places, setPlaces] = useState<readonly ElementOf<'view_point'>[]>([]);
  useEffect(() => {
    let isOver = false;
    setPlaces([]);
    const load = async () => {
      if (endpoint === null) return;
      const { room } = await client.endpoints.read({ params: { id: endpoint } });
      if (!room || isOver) return;
      const elements = await client.elements.list({ query: { room_id: room.id } });
      if (!isOver) setPlaces(viewPointsOf(elements));
    };
    // Without the list, the link still works.
    load().catch(() => undefined);
    return () => {
      isOver = true;
    };
  }, [client, endpoint]);
  return places;
}

const ARRIVALS = { own: 'Start view', keep: 'Keep the direction', set: 'Set a direction' } as const;

/** The view on arrival: the target's own, the same direction, or a given one. */
const ArrivalFields = observer(
  ({ value, errorOf, onChange }: Props & { value: Of<'space' | 'slug' | 'view_point'> }) => {
    const { arrival } = value.type_config;
    const kind = arrival === 'keep' ? 'keep' : arrival ? 'set' : 'own';
    const places = usePlaces(value.type === 'space' && kind === 'set' ? value.type_config.endpoint : null);
    const set = (next: unknown) =>
      onChange({ ...value, type_config: { ...value.type_config, arrival: next } } as Navigation);
    const angle = (name: 'heading' | 'pitch', label: string, limit: number) => (
      <NumberField
        label={label}
        error={errorOf(`type_config.arrival.${name}`)}
        value={typeof arrival === 'object' && arrival ? arrival[name] : 0}
        limits={{ minValue: -limit, maxValue: limit }}
        step={5}
        onChange={(number) => set({ ...(arrival as object), [name]: number ?? 0 })}
      />
    );
    return (
      <>
        <Select
          label="View on arrival"
          allowDeselect={false}
          data={Object.entries(ARRIVALS).map(([key, label]) => ({
            value: key,
            label: key === 'own' && value.type === 'view_point' ? 'View of the view point' : label,
          }))}
          value={kind}
          onChange={(next) => set(next === 'keep' ? 'keep' : next === 'set' ? { heading: 0, pitch: 0 } : undefined)}
        />
        {typeof arrival === 'object' && arrival && (
          <>
            {'view_point_id' in arrival || places.length > 0 ? (
              <Select
                label="View point"
                placeholder="Start of the space"
                clearable
                searchable
                data={places.map((point) => ({ value: String(point.id), label: point.config.name || titleOf(point) }))}
                value={'view_point_id' in arrival && arrival.view_point_id ? String(arrival.view_point_id) : null}
                onChange={(id) => set({ ...arrival, view_point_id: id === null ? null : Number(id) })}
              />
            ) : null}
            <SimpleGrid cols={2} spacing={6}>
              {angle('heading', 'Heading (degrees)', 360)}
              {angle('pitch', 'Pitch (degrees)', 90)}
            </SimpleGrid>
          </>
        )}
      </>
    );
  },
);

const ShareLink = observer(({ value, errorOf, onChange }: Props & { value: Of<'modal_share'> }) => {
  const { client } = useEditor();
  const { feed_id, success_message, reload_room } = value.type_config;
  const set = (changes: Partial<Of<'modal_share'>['type_config']>) =>
    onChange({ type: 'modal_share', type_config: { ...value.type_config, ...changes } });
  const find = async (search: string) => {
    const { data } = await client.feeds.list({ query: { ...(search && { search }), per_page: 100 } });
    return data.filter(({ type }) => type === 'local');
  };
  return (
    <>
      <EntrySelect
        label="Feed"
        description="Local feed for shared messages."
        placeholder="Choose a feed"
        error={errorOf('type_config.feed_id')}
        find={find}
        chosen={feed_id === null ? null : { id: feed_id, name: `Feed ${feed_id}` }}
        value={feed_id === null ? null : String(feed_id)}
        onChange={(id) => set({ feed_id: id === null ? null : Number(id) })}
      />
      <LineField
        label="Success message"
        description="Message shown after sharing."
        maxLength={500}
        value={success_message}
        onChange={(text) => set({ success_message: text })}
      />
      <Switch
        label="Reload the space"
        description="The room is loaded again afterwards."
        checked={reload_room}
        onChange={(event) => set({ reload_room: event.currentTarget.checked })}
      />
    </>
  );
});

/** Settings of the link type. */
const TypeFields = observer((props: Props) => {
  const { value, errorOf, onChange } = props;
  const set = (changes: object) =>
    onChange({ ...value, type_config: { ...value.type_config, ...changes } } as Navigation);
  const line = (name: string, label: string, description?: string) => (
    <LineField
      key={name}
      label={label}
      description={description}
      value={(value.type_config as Record<string, string>)[name] ?? ''}
      error={errorOf(`type_config.${name}`)}
      maxLength={2048}
      onChange={(text) => set({ [name]: text })}
    />
  );
  switch (value.type) {
    case 'space':
      return [
        <SpaceLink key="space" {...props} value={value} />,
        <ArrivalFields key="arrival" {...props} value={value} />,
      ];
    case 'url':
      return line('url', 'URL', 'An address that begins with https://. It opens in a new tab.');
    case 'slug':
      return [
        line('slug_one', 'Slug one', 'First segment of the public path.'),
        line('slug_two', 'Slug two', 'Second segment of the public path; empty for none.'),
        <ArrivalFields key="arrival" {...props} value={value} />,
      ];
    case 'event':
      return line('name', 'Event', 'Name of the event, sent to the page and its parent.');
    case 'view_point':
      return [
        <ViewPointLink key="point" {...props} value={value} />,
        <ArrivalFields key="arrival" {...props} value={value} />,
      ];
    case 'modal_url':
      return [line('title', 'Title', 'Dialog title.'), line('url', 'URL', 'URL of the page, shown in a frame.')];
    case 'modal_content':
      return (
        <>
          {line('title', 'Title', 'Dialog title.')}
          <RichTextField
            label="Content"
            error={errorOf('type_config.content')}
            html={value.type_config.content}
            onChange={(content) => set({ content })}
          />
        </>
      );
    case 'modal_static':
      return (
        <Select
          label="Pop-up"
          allowDeselect={false}
          data={[
            { value: 'about', label: 'About' },
            { value: 'help', label: 'Help' },
          ]}
          value={value.type_config.name}
          onChange={(name) => name && set({ name })}
        />
      );
    case 'modal_share':
      return <ShareLink {...props} value={value} />;
    default:
      return null;
  }
});

/** Target of a link. A new type starts with empty settings. `errorOf` is observed. */
export const NavigationFields = observer((props: Props) => {
  const { value, errorOf, onChange } = props;
  return (
    <Stack gap="sm">
      <Select
        label="Navigation type"
        allowDeselect={false}
        data={Object.entries(NAVIGATION_NAMES).map(([type, label]) => ({ value: type, label }))}
        value={value.type}
        error={errorOf('type')}
        onChange={(type) => type && type !== value.type && onChange(navigationSchema.parse({ type }))}
      />
      <TypeFields {...props} />
    </Stack>
  );
});

/** A labeled link: a corner of the room, or an action of a pop-up; without a label, there is no link. */
export const LinkFields = observer(
  ({
    label,
    value,
    errorOf,
    onChange,
  }: {
    label: string;
    value: { name: string; navigation: Navigation } | null;
    errorOf(path: string): string | undefined;
    onChange(value: { name: string; navigation: Navigation } | null): void;
  }) => {
    const link = value ?? { name: '', navigation: navigationSchema.parse({ type: 'disabled' }) };
    return (
      <Stack gap="sm">
        <Switch
          label={label}
          checked={value !== null}
          onChange={(event) => onChange(event.currentTarget.checked ? link : null)}
        />
        {value && (
          <>
            <LineField
              label="Name"
              maxLength={255}
              value={link.name}
              error={errorOf('name')}
              onChange={(name) => onChange({ ...link, name })}
            />
            <NavigationFields
              value={link.navigation}
              errorOf={(path) => errorOf(`navigation.${path}`)}
              onChange={(navigation) => onChange({ ...link, navigation })}
            />
          </>
        )}
      </Stack>
    );
  },
);
