import { createContext, type KeyboardEventHandler, type ReactNode, type Ref, useContext } from 'react';
import { Link } from 'react-router-dom';
import classes from './icon-action.module.css';

/** Whether a control is in the row that has the tree's tab stop; Tab skips those of other rows. Null outside trees. */
export const TabStopContext = createContext<boolean | null>(null);

/** Icon button or link without wrappers, for lists with thousands of rows. */
export function IconAction({
  label,
  hint = label,
  icon,
  word,
  to,
  destroys,
  isExpanded,
  isPressed,
  isDisabled,
  isSkipped,
  buttonRef,
  onClick,
  onKeyDown,
  ...others
}: {
  /** Accessible label: action and target. */
  label: string;
  /** Tooltip. */
  hint?: string;
  icon: ReactNode;
  /** Text next to the icon, if there is room. */
  word?: string;
  to?: string;
  destroys?: boolean;
  isExpanded?: boolean;
  isPressed?: boolean;
  isDisabled?: boolean;
  /** Whether the Tab key skips it, because another key does the same. */
  isSkipped?: boolean;
  buttonRef?: Ref<HTMLButtonElement>;
  onClick?(): void;
  onKeyDown?: KeyboardEventHandler;
  /** Set by a menu trigger. */
  ref?: Ref<HTMLButtonElement>;
}) {
  const isStop = useContext(TabStopContext);
  const tabIndex = isSkipped || isStop === false ? -1 : undefined;
  const look = { className: classes.action, 'aria-label': label, title: hint, 'data-destroys': destroys || undefined };
  const content = word ? (
    <>
      {icon}
      <span className={classes.word}>{word}</span>
    </>
  ) : (
    icon
  );
  if (to)
    return (
      <Link to={to} tabIndex={tabIndex} {...look}>
        {content}
      </Link>
    );
  return (
    <button
      type="button"
      ref={buttonRef}
      aria-expanded={isExpanded}
      aria-pressed={isPressed}
      disabled={isDisabled}
      tabIndex={tabIndex}
      onClick={onClick}
      onKeyDown={onKeyDown}
      {...others}
      {...look}
    >
      {content}
    </button>
  );
}
