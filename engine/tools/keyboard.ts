import type { ArrowKey, TransformEvent } from '../machines/transform.ts';
import { isTyping } from '../stage/interaction/typing.ts';

/** What the keys of the canvas ask for. */
export type KeyAction =
  | { type: 'transform'; event: TransformEvent }
  | { type: 'arrow'; key: ArrowKey; isDown: boolean }
  | { type: 'box' }
  | { type: 'escape' };

const transform = (event: TransformEvent): KeyAction => ({ type: 'transform', event });

/** By the letter that a key writes, so that it is the same letter on every keyboard. */
const EDIT_KEYS: Readonly<Record<string, KeyAction>> = {
  w: transform({ type: 'mode.set', mode: 'translate' }),
  e: transform({ type: 'mode.set', mode: 'scale' }),
  r: transform({ type: 'mode.set', mode: 'rotate' }),
  q: transform({ type: 'space.toggle' }),
  x: transform({ type: 'axis.toggle', axis: 'x' }),
  y: transform({ type: 'axis.toggle', axis: 'y' }),
  z: transform({ type: 'axis.toggle', axis: 'z' }),
  s: transform({ type: 'snap.toggle' }),
  '+': transform({ type: 'handles.grow' }),
  '=': transform({ type: 'handles.grow' }),
  '-': transform({ type: 'handles.shrink' }),
  _: transform({ type: 'handles.shrink' }),
  ' ': transform({ type: 'handles.toggle' }),
  b: { type: 'box' },
  escape: { type: 'escape' },
};

const isArrow = (key: string): key is ArrowKey => /^Arrow(?:Up|Down|Left|Right)$/.test(key);

/** Where arrows and the space bar belong to what is focused. */
const OPERATED = 'button, a, [role="tree"], [role="treeitem"], [role="slider"], [role="tab"], [role="listbox"]';

const isOperated = (target: EventTarget | null) => target instanceof Element && target.closest(OPERATED) !== null;

/**
 * Listens to the keys of the canvas, wherever the focus is unless somebody types or a dialog is open.
 * @param act tells whether the key did something, and is not to do anything else
 * @param interrupt the window lost the keyboard
 * @returns a function that stops listening
 */
export function listenToKeys(act: (action: KeyAction) => boolean, interrupt: () => void): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const onKey = (event: KeyboardEvent) => {
    const isDown = event.type === 'keydown';
    if (event.key === 'Shift') {
      act(transform({ type: isDown ? 'shift.down' : 'shift.up' }));
      return;
    }
    // A key that was pressed over the canvas may be released anywhere.
    if (!isDown) {
      if (isArrow(event.key)) act({ type: 'arrow', key: event.key, isDown });
      return;
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const isOperating = isArrow(event.key) || event.key === ' ';
    if (isOperating && isOperated(event.target)) return;
    const action: KeyAction | undefined = isArrow(event.key)
      ? { type: 'arrow', key: event.key, isDown }
      : EDIT_KEYS[event.key.toLowerCase()];
    if (!action) return;
    // A held key asks once; the handles' size goes on.
    const isRepeated = event.repeat && event.key !== '+' && event.key !== '=' && event.key !== '-';
    if (isRepeated ? isOperating : act(action)) event.preventDefault();
  };
  addEventListener('keydown', onKey, { signal });
  addEventListener('keyup', onKey, { signal });
  addEventListener('blur', interrupt, { signal });
  return () => abort.abort();
}
