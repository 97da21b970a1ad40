/** Maximum interval between the taps in milliseconds. */
const WINDOW = 500;
/** Maximum distance between the taps in pixels, lenient enough for fingers. */
const SLIP = 24;

/** A tap or click: position, and time in milliseconds. */
type Tap = Pick<MouseEvent, 'clientX' | 'clientY' | 'timeStamp'> & Partial<Pick<PointerEvent, 'pointerType'>>;

/**
 * Recognizes double taps by touch and mouse. Browsers differ in their limits, and some send no `dblclick` for touch.
 */
export class DoubleTap {
  #first: Tap | undefined;

  /** Handles a tap. @returns whether it completes a double tap */
  take(tap: Tap): boolean {
    const first = this.#first;
    const isSecond =
      first !== undefined &&
      tap.pointerType === first.pointerType &&
      tap.timeStamp - first.timeStamp <= WINDOW &&
      Math.hypot(tap.clientX - first.clientX, tap.clientY - first.clientY) <= SLIP;
    // A third tap starts a new pair.
    this.#first = isSecond ? undefined : tap;
    return isSecond;
  }
}
