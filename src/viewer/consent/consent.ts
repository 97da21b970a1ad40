import type { Element } from '../../../engine/document/element.ts';
import { isInRoom } from '../../../engine/document/in-room.ts';
import {
  hostOf,
  hostsOfElement,
  hostsOfHtml,
  serviceName,
  TAG_MANAGER_PARTY,
  type ThirdParty,
  thirdPartiesOf,
} from '../../../engine/document/third-parties.ts';
import { traitsOf } from '../../../engine/document/traits-of.ts';
import type { ElementDrawing } from '../../../engine/stage/context.ts';
import { draw as drawNothing } from '../../../engine/stage/elements/group.ts';
import { drawPanel } from '../../../engine/stage/layers/panel.ts';
import { panelSize } from '../../../engine/stage/rendering/frame.ts';
import { storedText } from '../../ui/storage.ts';
import { textsReady } from '../texts/say.ts';
import { say } from '../texts/say-all.ts';
import type { RoomHost } from '../visit/room-controls.ts';
import type { Choices, ConsentState } from '../visit/visit-store.ts';
import { showNotice } from './notice.ts';
import './consent.css';

/** How long a stored choice lasts: until the visitor changes it, or until the window closes. */
type Lifetime = Exclude<Parameters<ConsentState['choose']>[1], 'none'>;

const KEY = 'enfilade.consent';
const stored = { local: storedText(KEY), window: storedText(KEY, 'window') };
const OWN = [location.origin];
/** Corner radius of substitutes in pixels. */
const RADIUS = 6;

function readChoices(lifetime: Lifetime): Choices {
  try {
    const found: unknown = JSON.parse(stored[lifetime].get() ?? '{}');
    if (typeof found !== 'object' || found === null) return {};
    return Object.fromEntries(Object.entries(found).filter(([, value]) => typeof value === 'boolean'));
  } catch {
    return {};
  }
}

/** Whether an element has a place in the room for a panel; sounds and 360° videos around the visitor have none. */
const hasPlace = (element: Element): boolean =>
  traitsOf(element.element).plays !== 'sound' &&
  element.element !== 'motion' &&
  isInRoom(element) &&
  (element.config as { projection?: string }).projection !== 'equirectangular';

/** The visitor's choices about third-party content. Until a host is allowed, nothing is requested from it. */
export class Consent implements ConsentState {
  readonly #host: RoomHost;
  /** Whether the embedding page's consent manager decides, so that nothing is stored and no notice is shown. */
  readonly #isHosted: boolean;
  #choices: Choices;
  /** The decision about all other hosts; undefined if the visitor is asked. */
  #others: boolean | undefined;
  /** Closes the notice, if one is shown. */
  #closeNotice: (() => void) | undefined;
  /** Public path of the room that the notice is about. */
  #askedAt: string | undefined;

  constructor(host: RoomHost) {
    const { flags, settings } = host.store.get();
    this.#host = host;
    this.#isHosted = flags.hostConsent;
    this.#choices = this.#isHosted ? {} : { ...readChoices('local'), ...readChoices('window') };
    if (this.#isHosted) this.#others = false;
    else if (settings.third_parties === 'specified') this.#others = true;
    host.events.subscribe(({ type }) => {
      if (type === 'first_frame') void this.#ask();
    });
    host.store.subscribe(() => {
      const { refusal, endpoint } = host.store.get();
      if (refusal || endpoint?.path !== this.#askedAt) this.#closeNotice?.();
    });
  }

  /** Third parties of the current room and its page, and others that are allowed, without uses. */
  get parties(): ThirdParty[] {
    const { endpoint, settings } = this.#host.store.get();
    const scene = this.#host.stage?.scene;
    const room = scene?.room ?? endpoint?.room;
    const elements = [...(room?.elements ?? []), ...(scene?.feedElements() ?? [])];
    const found = room ? thirdPartiesOf({ ...room, elements }, OWN) : [];
    if (settings.tag_manager_id) found.push(TAG_MANAGER_PARTY);
    const isFound = (host: string) => found.some((party) => party.host === host);
    const others = Object.keys(this.#choices).filter((host) => this.#choices[host] && !isFound(host));
    return [...found, ...others.map((host) => ({ host, name: serviceName(host), uses: [], elements: [] }))];
  }

  /** Opens the dialog with the visitor's choices. */
  open(): void {
    this.#host.store.show({ kind: 'third_parties' });
  }

  isAllowed(host: string): boolean {
    return this.#choices[host] ?? this.#others ?? false;
  }

  /** Hosts that content needs, and that aren't allowed. @param content an element, a URL, or HTML */
  lacks(content: Element | string | { html: string }): string[] {
    if (typeof content === 'string') {
      const host = hostOf(content, OWN);
      return host === null || this.isAllowed(host) ? [] : [host];
    }
    const hosts = 'html' in content ? hostsOfHtml(content.html, OWN) : hostsOfElement(content, OWN);
    return hosts.filter((host) => !this.isAllowed(host));
  }

  /** The drawing that stands in for an element; undefined if it may load. */
  readonly substitute = (element: Element): ElementDrawing | undefined => {
    const hosts = this.lacks(element);
    if (hosts.length === 0) return undefined;
    return async (context, _, entity) => {
      if (!hasPlace(element)) return { ...(await drawNothing(context, element, entity)), isSubstitute: true };
      const panel = this.placeholder(hosts);
      panel.classList.add('stage-panel');
      return { ...(await drawPanel(context, panel, panelSize(element), RADIUS)), isSubstitute: true };
    };
  };

  /** Stands in for content of hosts: names them, with a button that allows them for this visit. */
  placeholder(hosts: readonly string[]): HTMLElement {
    const panel = document.createElement('div');
    panel.className = 'consent-placeholder';
    // In the room, which runs from left to right.
    panel.dir = 'auto';
    const words = document.createElement('p');
    words.textContent = say('thirdPartyWaits', { name: hosts.map(serviceName).join(', ') });
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = say('loadFrom', { host: hosts.join(', ') });
    button.addEventListener('click', (event) => {
      // The end of a drag.
      if (event.defaultPrevented) return;
      // The button goes away.
      const around = panel.closest<HTMLElement>('#room') ?? panel.closest<HTMLElement>('dialog > *, section');
      if (around && around.tabIndex < 0) around.tabIndex = -1;
      around?.focus({ preventScroll: true });
      this.choose(Object.fromEntries(hosts.map((host) => [host, true])), 'window');
    });
    panel.append(words, button);
    return panel;
  }

  /** Applies choices: allowed content loads, and withdrawn content is unloaded at once. */
  choose(choices: Choices, lifetime: Lifetime | 'none'): void {
    if (!this.#isHosted && lifetime !== 'none') this.#store(choices, lifetime);
    this.#apply({ ...this.#choices, ...choices }, this.#others, choices);
  }

  chooseAll(isAllowed: boolean, except: Choices = {}): void {
    const hosts = [...this.parties.map(({ host }) => host), ...Object.keys(this.#choices)];
    this.#apply(except, isAllowed, { ...Object.fromEntries(hosts.map((host) => [host, isAllowed])), ...except });
  }

  lasts(host: string): boolean {
    if (this.#isHosted) return true;
    const isAsked = this.#host.store.get().settings.third_parties === 'ask';
    return isAsked && !{ ...readChoices('local'), ...readChoices('window') }[host];
  }

  /** @param told the decisions by host, for the embedding page */
  #apply(choices: Choices, others: boolean | undefined, told: Choices): void {
    const [before, othersBefore] = [this.#choices, this.#others];
    this.#choices = choices;
    this.#others = others;
    const hasChanged = (host: string) => this.isAllowed(host) !== (before[host] ?? othersBefore ?? false);
    this.#host.stage?.redraw((element) => hostsOfElement(element, OWN).some(hasChanged));
    // Everything else that shows third-party content reads the choices again.
    this.#host.store.set({});
    this.#host.events.tell({ type: 'consent', hosts: told });
    if (this.#undecided.length === 0) this.#closeNotice?.();
  }

  #store(choices: Choices, lifetime: Lifetime): void {
    stored[lifetime].set(JSON.stringify({ ...readChoices(lifetime), ...choices }));
    if (lifetime === 'window') return;
    // A later choice replaces those for the visit.
    const kept = Object.entries(readChoices('window')).filter(([host]) => choices[host] === undefined);
    stored.window.set(kept.length > 0 ? JSON.stringify(Object.fromEntries(kept)) : null);
  }

  get #undecided(): ThirdParty[] {
    if (this.#others !== undefined) return [];
    return this.parties.filter(({ host }) => this.#choices[host] === undefined);
  }

  /** Asks about the hosts of the room that the visitor hasn't decided about: at the entrance, or beside the room. */
  async #ask(): Promise<void> {
    this.#closeNotice?.();
    this.#closeNotice = undefined;
    await textsReady;
    const parties = this.#undecided;
    const { refusal, endpoint, entered } = this.#host.store.get();
    if (refusal || parties.length === 0) return;
    this.#askedAt = endpoint?.path;
    this.#closeNotice = showNotice(parties, !entered, (isAllowed) =>
      this.choose(Object.fromEntries(parties.map(({ host }) => [host, isAllowed])), 'local'),
    );
  }
}
