import { Badge, Group, Modal, Progress, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { observer } from 'mobx-react-lite';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { languageName } from '../../../engine/document/languages.ts';
import { TRANSLATION_STATES, type TranslationState } from '../../../engine/document/translation-state.ts';
import { locale } from '../../ui/language/language.ts';
import { STATE_COLORS, STATE_LABELS } from '../../ui/translation-states.ts';
import { labelAt } from '../fields/field-label.ts';
import { useEditor } from '../session/editor-context.ts';
import { nameOfElement } from '../session/element-names.ts';
import { LanguageFields } from './LanguageFields.tsx';
import { TranslationFiles } from './TranslationFiles.tsx';
import { TranslationPane } from './TranslationPane.tsx';
import { countStates, rowsOf, type TranslationRow } from './translation-rows.ts';
import classes from './translations.module.css';

/** Height of a row in pixels. */
const ROW = 52;

interface Filter {
  words: string;
  state: TranslationState | null;
}

const isListed = ({ text, translation, state }: TranslationRow, filter: Filter): boolean => {
  const words = filter.words.trim().toLowerCase();
  const isWanted = filter.state === null || filter.state === state;
  return isWanted && `${text}\n${translation?.text ?? ''}`.toLowerCase().includes(words);
};

const plain = ({ text, kind }: TranslationRow) => (kind === 'html' ? text.replace(/<[^>]*>/g, ' ') : text);

/** A virtualized list of texts; the arrow keys move the selection. */
const TextList = observer(
  (props: { rows: readonly TranslationRow[]; chosen: number; onChoose(index: number): void }) => {
    const { rows, chosen, onChoose } = props;
    const { document } = useEditor();
    const [frame, setFrame] = useState<HTMLDivElement | null>(null);
    const virtual = useVirtualizer({
      count: rows.length,
      getScrollElement: () => frame,
      estimateSize: () => ROW,
      getItemKey: (index) => rows[index]!.key,
      overscan: 6,
    });
    // biome-ignore lint/correctness/useExhaustiveDependencies: only a new choice scrolls.
    useEffect(() => {
      if (chosen >= 0) virtual.scrollToIndex(chosen);
    }, [chosen]);
    const onKeyDown = (event: KeyboardEvent) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step || !rows[chosen + step]) return;
      event.preventDefault();
      onChoose(chosen + step);
      requestAnimationFrame(() => frame?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
    };
    return (
      <div ref={setFrame} className={classes.list}>
        {rows.length === 0 && (
          <Text size="sm" c="dimmed" p="md">
            No text matches.
          </Text>
        )}
        <div
          role="listbox"
          aria-label="Texts"
          className={classes.texts}
          style={{ height: virtual.getTotalSize() }}
          onKeyDown={onKeyDown}
        >
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index]!;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list hears the keys.
              <div
                key={key}
                role="option"
                aria-selected={index === chosen}
                aria-posinset={index + 1}
                aria-setsize={rows.length}
                tabIndex={index === chosen || (chosen < 0 && index === 0) ? 0 : -1}
                className={classes.text}
                style={{ height: ROW, transform: `translateY(${start}px)` }}
                onClick={() => onChoose(index)}
                onFocus={() => index !== chosen && onChoose(index)}
              >
                <div className={classes.words}>
                  <span className={classes.place}>
                    {nameOfElement(document.room, row.id)} · {labelAt(row.path)}
                  </span>
                  <span dir="auto">{plain(row)}</span>
                </div>
                <Badge size="sm" tt="none" variant="light" color={STATE_COLORS[row.state]} className={classes.badge}>
                  {STATE_LABELS[row.state]}
                </Badge>
              </div>
            );
          })}
        </div>
      </div>
    );
  },
);

/** The texts of the space in one of its languages. */
const Language = observer(({ language }: { language: string }) => {
  const { document } = useEditor();
  const rows = rowsOf(document.room, language);
  const counts = countStates(rows);
  const [filter, setFilter] = useState<Filter>({ words: '', state: null });
  // A row stays while its translation changes.
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const count = rows.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows stay while their translations change.
  useEffect(
    () => setKeys(new Set(rows.filter((row) => isListed(row, filter)).map(({ key }) => key))),
    [filter, count, language],
  );
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const [unsaved] = useState(() => new Map<string, string>());
  const listed = rows.filter(({ key }) => keys.has(key));
  const chosen = listed.findIndex(({ key }) => key === chosenKey);
  const row = listed[chosen] ?? listed[0];
  const next = () => {
    const order = [...listed.slice(chosen + 1), ...listed.slice(0, chosen + 1)];
    setChosenKey(order.find(({ state, key }) => state !== 'done' && key !== row?.key)?.key ?? chosenKey);
  };
  const change = (part: Partial<Filter>) => setFilter((before) => ({ ...before, ...part }));
  return (
    <>
      <Group align="end">
        <TextInput
          flex={1}
          miw={160}
          aria-label="Search texts"
          placeholder="Search"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={filter.words}
          onChange={({ currentTarget }) => change({ words: currentTarget.value })}
        />
        <Select
          aria-label="State"
          placeholder="All states"
          clearable
          data={TRANSLATION_STATES.map((value) => ({ value, label: `${STATE_LABELS[value]} (${counts[value]})` }))}
          value={filter.state}
          onChange={(state) => change({ state: state as TranslationState | null })}
        />
      </Group>
      <div>
        <Progress.Root size="sm" aria-hidden>
          {(['done', 'draft', 'outdated'] as const).map((state) => (
            <Progress.Section
              key={state}
              value={(100 * counts[state]) / Math.max(count, 1)}
              color={STATE_COLORS[state]}
            />
          ))}
        </Progress.Root>
        <Text size="xs" c="dimmed" mt={4} role="status">
          {counts.done} of {count} translated
          {counts.outdated > 0 && ` · ${counts.outdated} outdated`}
          {counts.draft > 0 && ` · ${counts.draft} to confirm`}
        </Text>
      </div>
      <div className={classes.columns}>
        <TextList
          rows={listed}
          chosen={row ? listed.indexOf(row) : -1}
          onChoose={(at) => setChosenKey(listed[at]!.key)}
        />
        {row && (
          <TranslationPane
            key={`${language} ${row.key}`}
            row={row}
            language={language}
            unsaved={unsaved}
            onNext={next}
          />
        )}
      </div>
    </>
  );
});

/** Translations of all texts of the space, beside their sources. */
export const TranslationsDialog = observer(({ onClose }: { onClose(): void }) => {
  const { document } = useEditor();
  const { languages = [] } = document.room.config;
  const [wanted, setWanted] = useState<string | null>(null);
  const language = languages.find((tag) => tag === wanted) ?? languages[0];
  return (
    <Modal opened onClose={onClose} title="Translations" size={1200} centered>
      <Stack gap="sm">
        <LanguageFields />
        {language === undefined ? (
          <Text size="sm" c="dimmed" py="xl" ta="center">
            Choose the languages that visitors can read this space in.
          </Text>
        ) : (
          <>
            <Group justify="space-between">
              {languages.length > 1 && (
                <Select
                  aria-label="Translate into"
                  allowDeselect={false}
                  w={240}
                  data={languages.map((value) => ({ value, label: languageName(value, locale) }))}
                  value={language}
                  onChange={setWanted}
                />
              )}
              <TranslationFiles key={`files ${language}`} language={language} />
            </Group>
            <Language key={language} language={language} />
          </>
        )}
      </Stack>
    </Modal>
  );
});
