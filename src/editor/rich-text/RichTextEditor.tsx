import 'quill/dist/quill.core.css';
import { Button, Group, Popover, Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBlockquote, IconBold, IconItalic, IconLink, IconList, IconListNumbers } from '@tabler/icons-react';
import DOMPurify from 'dompurify';
import { observer } from 'mobx-react-lite';
import Quill from 'quill';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { href } from '../../../engine/document/fields.ts';
import { IconAction } from '../../ui/IconAction.tsx';
import { sayMessage } from '../../ui/language/say-message.ts';
import { useEditor } from '../session/editor-context.ts';
import classes from './rich-text.module.css';

/** Supported formats; others are dropped from pasted text. */
const FORMATS = ['header', 'bold', 'italic', 'link', 'list', 'blockquote'];

const HEADINGS = [
  { value: '0', label: 'Text' },
  ...[1, 2, 3].map((level) => ({ value: String(level), label: `Heading ${level}` })),
];

const BUTTONS: readonly { label: string; format: string; value: unknown; icon: ReactNode }[] = [
  { label: 'Bold', format: 'bold', value: true, icon: <IconBold size={16} /> },
  { label: 'Italic', format: 'italic', value: true, icon: <IconItalic size={16} /> },
  { label: 'Bulleted list', format: 'list', value: 'bullet', icon: <IconList size={16} /> },
  { label: 'Numbered list', format: 'list', value: 'ordered', icon: <IconListNumbers size={16} /> },
  { label: 'Block quote', format: 'blockquote', value: true, icon: <IconBlockquote size={16} /> },
];

/** The editor's content as HTML, with semantic lists and plain spaces; empty if there is no text. */
function htmlOf(quill: Quill): string {
  if (quill.getText().trim() === '') return '';
  return quill.getSemanticHTML().replaceAll('&nbsp;', ' ');
}

/** Button to set the URL of the selected text. */
function LinkButton({ href: current, onLink }: { href: string; onLink(href: string | false): void }) {
  const [opened, { close, toggle }] = useDisclosure();
  const [address, setAddress] = useState('');
  const result = href.safeParse(address);
  const link = () => {
    if (!result.success) return;
    onLink(result.data || false);
    close();
  };
  return (
    <Popover opened={opened} onChange={(is) => !is && close()} trapFocus withinPortal>
      <Popover.Target>
        <IconAction
          label="Link"
          isPressed={current !== ''}
          icon={<IconLink size={16} />}
          onClick={() => {
            setAddress(current);
            toggle();
          }}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <Group align="start" gap="xs">
          <TextInput
            aria-label="Link address"
            placeholder="https://"
            value={address}
            error={result.success ? undefined : sayMessage(result.error.issues[0]!.message)}
            onChange={(event) => setAddress(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && link()}
          />
          <Button size="sm" onClick={link}>
            {address ? 'Link' : 'Remove link'}
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}

/** A rich text editor: heading, bold, italic, link, lists and block quote. */
export const RichTextEditor = observer(
  ({ label, html, onChange }: { label: string; html: string; onChange(html: string): void }) => {
    const holder = useRef<HTMLDivElement>(null);
    const [quill, setQuill] = useState<Quill | null>(null);
    /** Number of blur events. */
    const [left, setLeft] = useState(0);
    const [format, setFormat] = useState<Record<string, unknown>>({});
    // The last emitted value: only a different value replaces the editor's content.
    const last = useRef(html);
    const changed = useRef(onChange);
    changed.current = onChange;

    useEffect(() => {
      const container = holder.current!;
      const made = new Quill(container.appendChild(document.createElement('div')), {
        formats: FORMATS,
        modules: { toolbar: false },
      });
      made.root.setAttribute('role', 'textbox');
      made.root.setAttribute('aria-multiline', 'true');
      made.root.setAttribute('aria-label', label);
      made.on('text-change', (_delta, _before, source) => {
        setFormat(made.getFormat());
        if (source !== 'user') return;
        last.current = htmlOf(made);
        changed.current(last.current);
      });
      made.on('selection-change', (range) => range && setFormat(made.getFormat(range)));
      made.root.addEventListener('blur', () => setLeft((times) => times + 1));
      setQuill(made);
      return () => {
        made.off('text-change');
        container.replaceChildren();
      };
    }, [label]);

    // biome-ignore lint/correctness/useExhaustiveDependencies: values that arrive during typing are applied on blur.
    useEffect(() => {
      if (!quill || quill.hasFocus() || (html === last.current && quill.getLength() > 1)) return;
      last.current = html;
      // The text is untrusted input; nothing in it may run.
      quill.setContents(quill.clipboard.convert({ html: DOMPurify.sanitize(html) }), 'silent');
    }, [quill, html, left]);

    const isReadOnly = useEditor().document.isReadOnly;
    useEffect(() => quill?.enable(!isReadOnly), [quill, isReadOnly]);

    const apply = (name: string, value: unknown) => {
      quill?.focus();
      quill?.format(name, value, 'user');
    };
    return (
      <div className={classes.frame}>
        <div className={classes.toolbar} role="toolbar" aria-label={`Format of ${label}`}>
          <Select
            size="xs"
            w={110}
            aria-label="Heading"
            allowDeselect={false}
            data={HEADINGS}
            value={String(format.header ?? 0)}
            onChange={(level) => apply('header', Number(level) || false)}
          />
          {BUTTONS.map(({ label: name, format: key, value, icon }) => (
            <IconAction
              key={name}
              label={name}
              isPressed={format[key] === value}
              icon={icon}
              onClick={() => apply(key, format[key] === value ? false : value)}
            />
          ))}
          <LinkButton
            href={typeof format.link === 'string' ? format.link : ''}
            onLink={(address) => apply('link', address)}
          />
        </div>
        <div ref={holder} className={classes.text} />
      </div>
    );
  },
);
