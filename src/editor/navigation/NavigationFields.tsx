import { Select, Stack, Switch } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useRef } from 'react';
import { type Navigation, navigationSchema } from '../../../engine/document/navigation.ts';
import type { EndpointListRow } from '../../contract/entities.ts';
import { type Choice, EntrySelect } from '../../ui/EntrySelect.tsx';
import { NAVIGATION_NAMES } from '../../ui/navigation-names.ts';
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
        const type_config = { endpoint: chosen?.id ?? null, endpoint_url: chosen?.path ?? '' };
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
        onChange({ type: 'view_point', type_config: { view_point_id: id === null ? null : Number(id) } })
      }
    />
  );
});

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
      return <SpaceLink {...props} value={value} />;
    case 'url':
      return line('url', 'URL', 'An address that begins with https://. It opens in a new tab.');
    case 'slug':
      return [
        line('slug_one', 'Slug one', 'First segment of the public path.'),
        line('slug_two', 'Slug two', 'Second segment of the public path; empty for none.'),
      ];
    case 'event':
      return line('name', 'Event', 'Name of the event, sent to the page and its parent.');
    case 'view_point':
      return <ViewPointLink {...props} value={value} />;
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
