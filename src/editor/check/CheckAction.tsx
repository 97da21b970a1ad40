import { IconChecklist } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { IconAction } from '../../ui/IconAction.tsx';
import classes from './check.module.css';
import type { CheckStore } from './check-store.ts';

/** Opens and closes the check, and says how much it has found. */
export const CheckAction = observer(
  ({ store, isOpen, onToggle }: { store: CheckStore; isOpen: boolean; onToggle(): void }) => {
    const { count, answer } = store;
    const hasErrors = answer?.findings.some(({ severity }) => severity === 'error') ?? false;
    const found = count === null ? '' : count === 1 ? ', 1 finding' : `, ${count} findings`;
    return (
      <span className={classes.action}>
        <IconAction
          label={`Check${found}`}
          hint="Check: findings and budget (C)"
          isPressed={isOpen}
          icon={<IconChecklist size={18} />}
          onClick={onToggle}
        />
        {count !== null && count > 0 && (
          <span className={classes.count} data-severity={hasErrors ? 'error' : 'warning'} aria-hidden>
            {count > 99 ? '99+' : count}
          </span>
        )}
      </span>
    );
  },
);
