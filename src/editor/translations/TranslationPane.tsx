import { Badge, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import DOMPurify from 'dompurify';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { directionOfTag, languageName } from '../../../engine/document/languages.ts';
import { translationCommands } from '../../../engine/document/translations.ts';
import { locale } from '../../ui/language/language.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { showNotification } from '../../ui/notifications.ts';
import { STATE_COLORS, STATE_LABELS } from '../../ui/translation-states.ts';
import { labelAt } from '../fields/field-label.ts';
import { BEYOND_RICH_TEXT } from '../rich-text/beyond-rich-text.ts';
import { RichTextField } from '../rich-text/RichTextField.tsx';
import { useEditor } from '../session/editor-context.ts';
import { nameOfElement } from '../session/element-names.ts';
import type { TranslationRow } from './translation-rows.ts';
import classes from './translations.module.css';

/** A source text as visitors see it. */
function Source({ text, kind, language }: { text: string; kind: 'plain' | 'html'; language: string | undefined }) {
  const frame = useRef<HTMLDivElement>(null);
  const isFormatted = kind === 'html' && !BEYOND_RICH_TEXT.test(text);
  useEffect(() => {
    const content = isFormatted ? DOMPurify.sanitize(text, { RETURN_DOM_FRAGMENT: true }) : text;
    frame.current!.replaceChildren(content);
  }, [text, isFormatted]);
  return (
    <div
      ref={frame}
      className={classes.source}
      data-code={kind === 'html' && !isFormatted ? true : undefined}
      lang={language}
      dir="auto"
    />
  );
}

interface Props {
  row: TranslationRow;
  language: string;
  /** Texts that were typed but can't be saved, by row: they are shown again when their row is. */
  unsaved: Map<string, string>;
  /** Goes to the next text that needs a translation. */
  onNext(): void;
}

/** A text and its translation, side by side. Leaving the field saves the translation. */
export const TranslationPane = observer(({ row, language, unsaved, onNext }: Props) => {
  const { document } = useEditor();
  const { room } = document;
  const place = `${nameOfElement(room, row.id)} · ${labelAt(row.path)}`;
  const saved = row.translation?.text ?? '';
  const [typed, setTyped] = useState<string | null>(() => unsaved.get(row.key) ?? null);
  const [problem, setProblem] = useState('');
  const set = (text: string) => {
    const { commands, refused } = translationCommands(room, language, [{ id: row.id, path: row.path, text }]);
    setProblem(sayMessage(refused[0]?.message ?? ''));
    if (refused.length > 0) {
      unsaved.set(row.key, text);
      return false;
    }
    unsaved.delete(row.key);
    document.run(commands, { label: `Translation of ${nameOfElement(room, row.id)}` });
    setTyped(null);
    return true;
  };
  const keep = () => typed === null || typed === saved || set(typed);
  // A text that is left without a blur, such as by closing the window, is saved.
  const leave = useRef(() => {});
  leave.current = () => {
    if (!keep()) showNotification(`Not saved: ${place}. The text doesn’t fit its field.`);
  };
  useEffect(() => () => leave.current(), []);
  const shown = typed ?? saved;
  const isRich = row.kind === 'html' && !BEYOND_RICH_TEXT.test(row.text) && !BEYOND_RICH_TEXT.test(shown);
  const label = `Translation (${languageName(language, locale)})`;
  return (
    <Stack gap="md" className={classes.pane} onBlur={isRich ? keep : undefined}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600} size="sm" truncate>
          {place}
        </Text>
        <Badge tt="none" variant="light" color={STATE_COLORS[row.state]} className={classes.badge}>
          {STATE_LABELS[row.state]}
        </Badge>
      </Group>
      <div>
        <Text size="sm" fw={500} mb={4}>
          Text{room.config.language ? ` (${languageName(room.config.language, locale)})` : ''}
        </Text>
        <Source text={row.text} kind={row.kind} language={room.config.language} />
      </div>
      <div lang={language} className={classes.translation} data-direction={directionOfTag(language)}>
        {isRich ? (
          <RichTextField label={label} html={shown} error={problem || undefined} onChange={setTyped} />
        ) : (
          <Textarea
            label={<span lang="en">{label}</span>}
            autosize
            minRows={3}
            maxRows={14}
            styles={row.kind === 'html' ? { input: { fontFamily: 'monospace' } } : undefined}
            readOnly={document.isReadOnly}
            error={problem || undefined}
            value={shown}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            onBlur={keep}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !keep()) return;
              event.preventDefault();
              onNext();
            }}
          />
        )}
      </div>
      {!document.isReadOnly && (
        <Group gap="xs">
          {row.state === 'outdated' && (
            <Button size="xs" variant="default" onClick={() => set(shown)}>
              Still correct
            </Button>
          )}
          {row.state === 'draft' && (
            <Button size="xs" variant="default" onClick={() => set(shown)}>
              Confirm
            </Button>
          )}
          {row.translation && (
            <Button size="xs" variant="subtle" color="red" onClick={() => set('')}>
              Remove
            </Button>
          )}
          <Button size="xs" variant="subtle" ml="auto" title="Ctrl+Enter" onClick={() => keep() && onNext()}>
            Next text to translate
          </Button>
        </Group>
      )}
    </Stack>
  );
});
