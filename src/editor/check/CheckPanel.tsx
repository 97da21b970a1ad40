import { CloseButton, Tabs, Text, Title } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import panel from '../layout/side-panel.module.css';
import { BudgetTab } from './BudgetTab.tsx';
import classes from './check.module.css';
import type { CheckStore } from './check-store.ts';
import { FindingsTab } from './FindingsTab.tsx';

/** What is wrong with the room, and what it needs of visitors' devices. It lies over the canvas and goes on with it. */
export const CheckPanel = observer(({ store, onClose }: { store: CheckStore; onClose(): void }) => {
  const { answer, hasFailed } = store;
  return (
    <section
      className={panel.panel}
      aria-label="Check"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <header className={panel.header}>
        <Title order={2} size="h5">
          Check
        </Title>
        <CloseButton size="sm" aria-label="Close the check" onClick={onClose} />
      </header>
      {hasFailed && (
        <Text role="alert" size="sm" p="sm">
          The check failed. Load the page again.
        </Text>
      )}
      {!answer && !hasFailed && (
        <Text role="status" aria-label="Checking" size="sm" c="dimmed" p="sm">
          Checking the room…
        </Text>
      )}
      {answer && (
        <Tabs defaultValue="findings" className={classes.tabs}>
          <Tabs.List grow>
            <Tabs.Tab value="findings">Findings ({answer.findings.length})</Tabs.Tab>
            <Tabs.Tab value="budget">Budget</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="findings" className={classes.body}>
            <FindingsTab findings={answer.findings} />
          </Tabs.Panel>
          <Tabs.Panel value="budget" className={classes.body}>
            <BudgetTab budget={answer.budget} />
          </Tabs.Panel>
        </Tabs>
      )}
    </section>
  );
});
