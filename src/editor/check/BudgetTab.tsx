import { Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { BUDGETS, DEVICES, type Device, type ElementCosts, type RoomBudget } from '../../../engine/document/budget.ts';
import { type Costs, MEASURES, type Measure } from '../../../engine/document/costs.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { useEditor } from '../session/editor-context.ts';
import classes from './check.module.css';
import { useShowElement } from './use-show-element.ts';

/** What the measures are called. */
const MEASURE_NAMES: Record<Measure, string> = {
  triangles: 'Triangles',
  texture_bytes: 'Texture memory',
  draw_calls: 'Draw calls',
  download_bytes: 'Download',
  dom_elements: 'Page elements',
};

const BYTES: ReadonlySet<Measure> = new Set(['texture_bytes', 'download_bytes']);
const MB = 1024 * 1024;

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** An amount of a measure, short. */
function amountText(measure: Measure, amount: number): string {
  if (!BYTES.has(measure)) return short.format(amount);
  return amount < MB ? `${Math.ceil(amount / 1024)} KB` : `${Number((amount / MB).toFixed(1))} MB`;
}

const DEVICE_NAMES: Record<Device, string> = { phone: 'Phone', desktop: 'Desktop' };

/** Share of a budget from which it is close to its end. */
const CLOSE = 0.75;
/** Elements that are named. */
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

/** The measure of which an element takes the largest part. */
const mainOf = (costs: Costs): Measure =>
  MEASURES.toSorted((one, other) => costs[other] / BUDGETS.phone[other] - costs[one] / BUDGETS.phone[one])[0]!;

function Heavy({ element, onShow }: { element: ElementCosts; onShow(id: number): void }) {
  const { id, name, costs } = element;
  const main = mainOf(costs);
  const words = (
    <>
      <span className={classes.heavyName}>{name}</span>
      <span className={classes.suggestion}>
        {amountText(main, costs[main])} {MEASURE_NAMES[main].toLowerCase()}
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
    </li>
  );
}

/** What the view on the canvas draws now, the editor's own marks included. */
const Drawn = observer(() => {
  const { document } = useEditor();
  // Drawn anew with every check; the camera's whole numbers tell of another view.
  const { stage, camera } = canvasOf(document);
  if (!stage) return null;
  const { calls, triangles } = stage.drawn;
  return (
    <Text size="xs" c="dimmed" data-camera={`${camera.x} ${camera.y} ${camera.z}`}>
      This view draws {amountText('triangles', triangles)} triangles in {calls} calls, marks of the editor included.
    </Text>
  );
});

/** What the room needs of a phone and of a desktop, and what in it needs most. */
export function BudgetTab({ budget }: { budget: RoomBudget }) {
  const show = useShowElement();
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
          <Heavy key={element.id} element={element} onShow={show} />
        ))}
      </ol>
    </div>
  );
}
