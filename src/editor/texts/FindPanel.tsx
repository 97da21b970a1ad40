import { Button, Checkbox, Group, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconReplace } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import {
  type FoundText,
  findTexts,
  MAX_FIND,
  replaceTexts,
  type TextQuery,
  type TextReplacement,
} from '../../../engine/document/texts.ts';
import { IconAction } from '../../ui/IconAction.tsx';
import { isOne, numberText } from '../../ui/language/say.ts';
import { useTypedAhead } from '../../ui/typed-ahead.ts';
import { useShowElement } from '../check/CheckPanel.tsx';
import { labelAt } from '../fields/field-label.ts';
import { SidePanel } from '../layout/SidePanel.tsx';
import { useEditor } from '../session/editor-context.ts';
import { nameOfElement } from '../session/element-names.ts';
import classes from './texts.module.css';

/** Maximum number of listed texts; the rest are counted. */
const MAX_SHOWN = 200;

const counted = (count: number, one: string, many: string) => `${numberText(count)} ${isOne(count) ? one : many}`;

/** Finds and replaces in all texts of the room: those of elements, links, pop-ups and the room itself. */
export const FindPanel = observer(({ onClose }: { onClose(): void }) => {
  const { document } = useEditor();
  const { room, isReadOnly } = document;
  const show = useShowElement();
  const [query, setQuery] = useState<TextQuery>({ text: '', matchCase: false, wholeWords: false });
  const [replacement, setReplacement] = useState('');
  const [result, setResult] = useState<TextReplacement>();
  const wanted = useDeferredValue(query);
  const found = useMemo(() => findTexts(room, wanted), [room, wanted]);
  const count = found.reduce((sum, text) => sum + text.count, 0);
  const isTooLong = query.text.length > MAX_FIND;
  const field = useRef<HTMLInputElement>(null);
  const onFocus = useTypedAhead((typed) => setQuery((before) => ({ ...before, text: before.text + typed })));
  const change = (part: Partial<TextQuery>) => {
    setResult(undefined);
    setQuery((before) => ({ ...before, ...part }));
  };
  const replace = (only?: FoundText) => {
    const done = replaceTexts(room, query, replacement, only);
    document.run(done.commands, { label: `Replace “${query.text}” with “${replacement}”` });
    setResult(done);
    // The pressed button is disabled or gone.
    field.current?.focus();
  };
  return (
    <SidePanel title="Find and replace" closeLabel="Close find and replace" onClose={onClose}>
      <div className={classes.query}>
        <TextInput
          ref={field}
          size="xs"
          label="Find"
          data-autofocus
          autoFocus
          error={isTooLong && `Use at most ${numberText(MAX_FIND)} characters.`}
          value={query.text}
          onFocus={onFocus}
          onChange={({ currentTarget }) => change({ text: currentTarget.value })}
        />
        {!isReadOnly && (
          <TextInput
            size="xs"
            label="Replace with"
            maxLength={MAX_FIND}
            value={replacement}
            onChange={({ currentTarget }) => setReplacement(currentTarget.value)}
          />
        )}
        <Group gap="md">
          <Checkbox
            size="xs"
            label="Match case"
            checked={query.matchCase}
            onChange={({ currentTarget }) => change({ matchCase: currentTarget.checked })}
          />
          <Checkbox
            size="xs"
            label="Whole words"
            checked={query.wholeWords}
            onChange={({ currentTarget }) => change({ wholeWords: currentTarget.checked })}
          />
        </Group>
        <Group justify="space-between" mih={30}>
          <Text size="xs" c="dimmed" role="status">
            {result && result.count > 0
              ? `Replaced ${counted(result.count, 'match', 'matches')}.`
              : query.text.trim() !== '' && !isTooLong
                ? `${counted(count, 'match', 'matches')} in ${counted(found.length, 'text', 'texts')}`
                : ''}
          </Text>
          {!isReadOnly && (
            <Button size="xs" disabled={count === 0 || wanted !== query} onClick={() => replace()}>
              Replace all
            </Button>
          )}
        </Group>
        {result && result.refused.length > 0 && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            Not replaced:{' '}
            {result.refused
              .slice(0, 10)
              .map(({ id, path, message }) => `${nameOfElement(room, id)}, ${labelAt(path)}: ${message}`)
              .join(' ')}
            {result.refused.length > 10 && ` And ${result.refused.length - 10} more.`}
          </Text>
        )}
      </div>
      <ul className={classes.found} aria-label="Found texts">
        {found.slice(0, MAX_SHOWN).map((text) => (
          <li key={`${text.id} ${text.path}`}>
            <UnstyledButton
              className={classes.text}
              disabled={text.id === null}
              title={text.id === null ? undefined : 'Show the element'}
              onClick={() => show(text.id!)}
            >
              <span className={classes.place}>
                {nameOfElement(room, text.id)} · {labelAt(text.path)}
                {text.count > 1 && ` · ${text.count}×`}
              </span>
              <span dir="auto">
                {text.before}
                <mark>{text.match}</mark>
                {text.after}
              </span>
            </UnstyledButton>
            {!isReadOnly && (
              <IconAction label="Replace" icon={<IconReplace size={16} />} onClick={() => replace(text)} />
            )}
          </li>
        ))}
        {found.length > MAX_SHOWN && (
          <li className={classes.place}>And {numberText(found.length - MAX_SHOWN)} more.</li>
        )}
      </ul>
    </SidePanel>
  );
});
