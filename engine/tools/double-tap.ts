/** Milliseconds in which a second tap makes a double tap. */
const WINDOW = 500;
/** Pixels that the second may be away from the first: a finger is less exact than a mouse. */
const SLIP = 24;

/** A tap of a finger or a mouse: where, and when in milliseconds. */
type Tap = Pick<MouseEvent, 'clientX' | 'clientY' | 'timeStamp'>;

/** Tells double taps by fingers and mice alike: browsers have times of their own for them, and some send none for fingers. */
export class DoubleTap {
  #first: Tap | undefined;

  /** Takes the next tap. @returns whether it makes a double tap with the one before */
  take(tap: Tap): boolean {
    const first = this.#first;
    const isSecond =
      first !== undefined &&
      tap.timeStamp - first.timeStamp <= WINDOW &&
      Math.hypot(tap.clientX - first.clientX, tap.clientY - first.clientY) <= SLIP;
    // The third of three is the first of the next two.
    this.#first = isSecond ? undefined : tap;
    return isSecond;
  }
}
