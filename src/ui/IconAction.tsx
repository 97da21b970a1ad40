import type { KeyboardEventHandler, ReactNode, Ref } from 'react';
import { Link } from 'react-router-dom';
import classes from './icon-action.module.css';

/**
 * An action that an icon stands for, in rows that there are thousands of: an element of the page and nothing more.
 * It leads to a screen, or does something.
 */
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
  buttonRef,
  onClick,
  onKeyDown,
  ...others
}: {
  /** What it does, and to what. */
  label: string;
  /** What a pointer that rests on it is told. */
  hint?: string;
  icon: ReactNode;
  /** What stands beside the icon, where there is room for it. */
  word?: string;
  to?: string;
  destroys?: boolean;
  isExpanded?: boolean;
  isPressed?: boolean;
  isDisabled?: boolean;
  buttonRef?: Ref<HTMLButtonElement>;
  onClick?(): void;
  onKeyDown?: KeyboardEventHandler;
  /** Given by a menu that it opens. */
  ref?: Ref<HTMLButtonElement>;
}) {
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
      <Link to={to} {...look}>
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
      onClick={onClick}
      onKeyDown={onKeyDown}
      {...others}
      {...look}
    >
      {content}
    </button>
  );
}
