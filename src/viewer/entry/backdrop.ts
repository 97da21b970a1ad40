const SVG = 'http://www.w3.org/2000/svg';
/** Sizes of the doors relative to the window, nearest first. */
const DOORS = [1.15, 0.82, 0.58, 0.41, 0.29, 0.205];
/** Vanishing point, in percent of the window. */
const AWAY = { x: 50, y: 52 };

function draw(name: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** Backdrop of nested doors. It shows nothing of the room, which stays hidden until entry. */
export function drawBackdrop(): SVGElement {
  const svg = draw('svg', {
    class: 'entry-backdrop',
    viewBox: '0 0 100 100',
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
  });
  for (const size of DOORS) {
    const [left, right] = [AWAY.x - 40 * size, AWAY.x + 40 * size];
    const [top, bottom] = [AWAY.y - 50 * size, AWAY.y + 44 * size];
    const d = `M${left} ${bottom}V${top}H${right}V${bottom}Z`;
    svg.append(draw('path', { d, opacity: `${1.25 - size}` }));
  }
  return svg;
}
