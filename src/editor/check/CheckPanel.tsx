import { Button, Tabs, Text } from '@mantine/core';
import { IconAlertTriangle, IconChecklist, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { BUDGETS, DEVICES, type Device, type ElementCosts, type RoomBudget } from '../../../engine/document/budget.ts';
import { type Costs, MEASURES, type Measure } from '../../../engine/document/costs.ts';
import type { Severity } from '../../../engine/document/lint/codes.ts';
import type { Finding } from '../../../engine/document/lint/finding.ts';
import { IconAction } from '../../ui/IconAction.tsx';
import { locale } from '../../ui/language/language.ts';
import { inSentence } from '../../ui/language/say.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { SidePanel } from '../layout/SidePanel.tsx';
import { useEditor } from '../session/editor-context.ts';
import classes from './check.module.css';
import type { CheckStore } from './check-store.ts';

const SEVERITY_ICONS = { error: IconCircleX, warning: IconAlertTriangle, info: IconInfoCircle };
const WORDS: Record<Severity, string> = { error: 'Error', warning: 'Warning', info: 'Hint' };
const ORDER: readonly Severity[] = ['error', 'warning', 'info'];

/** Maximum number of findings shown; the rest are counted. */
const MAX_SHOWN_FINDINGS = 200;

function Item({ finding, onShow }: { finding: Finding; onShow(id: number): void }) {
  const { severity, message, suggestion, element_id: id } = finding;
  const Sign = SEVERITY_ICONS[severity];
  const words = (
    <>
      <Sign size={16} className={classes.sign} data-severity={severity} aria-label={WORDS[severity]} role="img" />
      <span>
        <span className={classes.message}>{sayMessage(message)}</span>
        <span className={classes.suggestion}>{sayMessage(suggestion)}</span>
      </span>
    </>
  );
  return (
    <li>
      {id === undefined ? (
        <div className={classes.finding}>{words}</div>
      ) : (
        <button type="button" className={classes.finding} title="Show the element" onClick={() => onShow(id)}>
          {words}
        </button>
      )}
    </li>
  );
}

/** Findings of the linter, most severe first; pressing one selects and frames its element. */
function FindingsTab({ findings }: { findings: readonly Finding[] }) {
  const show = useShowElement();
  if (findings.length === 0)
    return (
      <Text size="sm" c="dimmed" p="sm">
        Nothing is wrong with this room.
      </Text>
    );
  const sorted = findings.toSorted((one, other) => ORDER.indexOf(one.severity) - ORDER.indexOf(other.severity));
  return (
    <ul className={classes.list} aria-label="Findings">
      {sorted.slice(0, MAX_SHOWN_FINDINGS).map((finding) => (
        <Item key={`${finding.code} ${finding.path} ${finding.message}`} finding={finding} onShow={show} />
      ))}
      {sorted.length > MAX_SHOWN_FINDINGS && (
        <li className={classes.more}>And {sorted.length - MAX_SHOWN_FINDINGS} more.</li>
      )}
    </ul>
  );
}

/** Selects and frames an element; notifies the user if it is hidden or locked and can't be selected. */
export function useShowElement(): (id: number) => void {
  const { document, selection } = useEditor();
  return (id) => {
    selection.select(id);
    // The canvas updates its selection before it frames it.
    if (selection.selectedId === id) canvasOf(document).tools?.frameSelected();
    else showNotification("This element is hidden or may not be edited: it can't be selected.");
  };
}

const MEASURE_NAMES: Record<Measure, string> = {
  triangles: 'Triangles',
  splats: 'Splats',
  texture_bytes: 'Texture memory',
  draw_calls: 'Draw calls',
  download_bytes: 'Download',
  dom_elements: 'Page elements',
};

const BYTES: ReadonlySet<Measure> = new Set(['texture_bytes', 'download_bytes']);
const MB = 1024 * 1024;

const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });

function amountText(measure: Measure, amount: number): string {
  if (!BYTES.has(measure)) return short.format(amount);
  return amount < MB ? `${Math.ceil(amount / 1024)} KB` : `${Number((amount / MB).toFixed(1))} MB`;
}

const DEVICE_NAMES: Record<Device, string> = { phone: 'Phone', desktop: 'Desktop' };

/** Share of a budget from which a warning is shown. */
const CLOSE = 0.75;
/** Maximum number of elements listed. */
const HEAVIEST = 8;

const stateOf = (share: number) => (share > 1 ? 'over' : share > CLOSE ? 'close' : 'within');

function Meter({ device, measure, amount }: { device: Device; measure: Measure; amount: number }) {
  const limit = BUDGETS[device][measure];
  const share = amount / limit;
  const text = `${Math.round(share * 100)}% of ${amountText(measure, limit)}`;
  return (
    <div className={classes.meter} title={`${DEVICE_NAMES[device]}: ${text}`}>
      <span>{DEVICE_NAMES[device]}</span>
      <meter
        className={classes.track}
        aria-label={`${MEASURE_NAMES[measure]}, ${DEVICE_NAMES[device]}`}
        max={1}
        value={Math.min(1, share)}
        data-state={stateOf(share)}
      >
        {text}
      </meter>
      <span className={classes.share} data-state={stateOf(share)}>
        {Math.round(share * 100)}%
      </span>
    </div>
  );
}

/** The measure with the largest share of its budget. */
const mainOf = (costs: Costs): Measure =>
  MEASURES.toSorted((one, other) => costs[other] / BUDGETS.phone[other] - costs[one] / BUDGETS.phone[one])[0]!;

interface HeavyProps {
  element: ElementCosts;
  onShow(id: number): void;
  /** Plans a lighter version of the element's file; undefined if it has one. */
  onLighten: (() => void) | undefined;
}

function Heavy({ element, onShow, onLighten }: HeavyProps) {
  const { id, name, costs } = element;
  const main = mainOf(costs);
  const words = (
    <>
      <span className={classes.heavyName}>{name}</span>
      <span className={classes.suggestion}>
        {amountText(main, costs[main])} {inSentence(MEASURE_NAMES[main])}
      </span>
    </>
  );
  return (
    <li>
      {id === null ? (
        <div className={classes.heavy}>{words}</div>
      ) : (
        <button type="button" className={classes.heavy} title="Show the element" onClick={() => onShow(id)}>
          {words}
        </button>
      )}
      {onLighten && (
        <Button size="compact-xs" variant="default" mx="xs" mb={6} onClick={onLighten}>
          Make lighter
        </Button>
      )}
    </li>
  );
}

/** Draw statistics of the current view, the editor's own helpers included. */
const Drawn = observer(() => {
  const { document } = useEditor();
  // Renders with every check, and when the camera's whole numbers change.
  const { stage, camera } = canvasOf(document);
  if (!stage) return null;
  const { calls, triangles } = stage.drawn;
  return (
    <Text size="xs" c="dimmed" data-camera={`${camera.x} ${camera.y} ${camera.z}`}>
      This view draws {amountText('triangles', triangles)} triangles in {calls} calls, marks of the editor included.
    </Text>
  );
});

/** The room's cost on a phone and on a desktop, and the most expensive elements. */
function BudgetTab({ budget, store }: { budget: RoomBudget; store: CheckStore }) {
  const show = useShowElement();
  const mayLighten = useSession().may('media', 'create');
  const lighten = async (id: number) => {
    try {
      await store.lighten(id);
      showNotification('A lighter version is being made. Visitors get it as soon as it is ready.');
    } catch (error) {
      showProblem(error);
    }
  };
  const { totals, elements, unknown } = budget;
  return (
    <div className={classes.budget}>
      {MEASURES.map((measure) => (
        <section key={measure} aria-label={MEASURE_NAMES[measure]}>
          <div className={classes.measure}>
            <span>{MEASURE_NAMES[measure]}</span>
            <strong>{amountText(measure, totals[measure])}</strong>
          </div>
          {DEVICES.map((device) => (
            <Meter key={device} device={device} measure={measure} amount={totals[measure]} />
          ))}
        </section>
      ))}
      <Drawn />
      {unknown.length > 0 && (
        <Text size="xs" c="dimmed">
          {unknown.length === 1 ? 'One thing is' : `${unknown.length} things are`} not counted whole: the file is not in
          the library, or was uploaded before its textures were counted.
        </Text>
      )}
      <Text size="sm" fw={600}>
        What needs most
      </Text>
      <ol className={classes.list} aria-label="What needs most">
        {elements.slice(0, HEAVIEST).map((element) => (
          <Heavy
            key={element.id}
            element={element}
            onShow={show}
            onLighten={mayLighten && store.isHeavy(element.file_id) ? () => void lighten(element.file_id!) : undefined}
          />
        ))}
      </ol>
    </div>
  );
}

/** Panel over the canvas with findings and costs; the canvas stays usable. */
export const CheckPanel = observer(({ store, onClose }: { store: CheckStore; onClose(): void }) => {
  const { answer, hasFailed } = store;
  return (
    <SidePanel title="Check" closeLabel="Close the check" onClose={onClose}>
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
            <BudgetTab budget={answer.budget} store={store} />
          </Tabs.Panel>
        </Tabs>
      )}
    </SidePanel>
  );
});

/** Toggles the check panel, and shows the number of findings. */
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
