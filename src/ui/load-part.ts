/** Waiting times in milliseconds before each further try. */
const PAUSES = [300, 1000, 3000];

/** Whether an error is a failed request, in the words of Chromium, Firefox, Safari and Vite; the code itself may throw others. */
const isLost = (error: unknown): boolean =>
  /dynamically imported module|Importing a module script failed|Unable to preload/i.test(String(error));

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Style sheets that failed. Importing a part again requests only its scripts. */
const lostStyles = new Set<HTMLLinkElement>();
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lostStyles.add(target);
  },
  true,
);

const reloadStyle = (lost: HTMLLinkElement) =>
  new Promise<void>((resolve, reject) => {
    const link = lost.cloneNode() as HTMLLinkElement;
    lostStyles.delete(lost);
    link.onload = () => resolve();
    link.onerror = () => reject(new Error(`Unable to preload CSS for ${link.href}`));
    lost.replaceWith(link);
  });

/** The message about lost parts. Pages in other languages set their own texts. */
export const lostPartTexts = {
  message: () => 'Part of this page could not be loaded. Check your connection.',
  retry: () => 'Retry',
  /** After a retry that failed: the part may belong to an earlier version of the page. */
  reload: () => 'Reload page',
};

/** Continues all parts that wait for a retry. */
let waiting: (() => void)[] = [];
let bar: HTMLElement | undefined;
let hasRetried = false;

/** Shows the message with its button. @returns resolves when the user retries */
function askToRetry(): Promise<void> {
  if (!bar?.isConnected) {
    bar = document.createElement('p');
    bar.setAttribute('role', 'alert');
    bar.className = 'lost-part';
    const button = document.createElement('button');
    button.type = 'button';
    const { message, retry, reload } = lostPartTexts;
    button.textContent = hasRetried ? reload() : retry();
    button.onclick = () => {
      if (hasRetried) location.reload();
      hasRetried = true;
      bar?.remove();
      bar = undefined;
      const tries = waiting;
      waiting = [];
      for (const again of tries) again();
    };
    bar.append(message(), button);
    // A modal dialog makes the rest of the page inert.
    const dialog = [...document.querySelectorAll<HTMLDialogElement>('dialog:modal')].at(-1);
    (dialog ?? document.body).append(bar);
    dialog?.addEventListener('close', () => bar && document.body.append(bar), { once: true });
  }
  return new Promise((resolve) => waiting.push(resolve));
}

/**
 * Loads a part of the page. A failed request is repeated, then the user is asked to retry; the promise waits for that.
 * The build wraps every `import()` of the pages in it; see `vite.retried-imports.ts`.
 * @throws whatever the part's code throws
 * @public The build wraps imports in it.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      const part = await load();
      await Promise.all([...lostStyles].map(reloadStyle));
      hasRetried &&= waiting.length > 0;
      return part;
    } catch (error) {
      if (!isLost(error)) throw error;
      const pause = PAUSES[attempt];
      if (pause === undefined) await askToRetry();
      else await wait(pause);
    }
  }
}
