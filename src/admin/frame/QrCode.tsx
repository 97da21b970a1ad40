import { encode } from 'uqr';

/** Quiet zone in modules, as the QR standard requires. */
const BORDER = 4;

/** Dark modules as an SVG path, one unit per module, and the side length. */
function qrPath(text: string): { path: string; size: number } {
  const { size, data } = encode(text, { border: BORDER });
  let path = '';
  for (const [y, row] of data.entries())
    for (let x = 0; x < size; x++) {
      if (!row[x]) continue;
      const end = row.indexOf(false, x);
      const length = (end < 0 ? size : end) - x;
      path += `M${x} ${y}h${length}v1h-${length}z`;
      x += length;
    }
  return { path, size };
}

/** QR code as an SVG file, dark on white, since scanners need it. */
export function qrSvg(text: string): string {
  const { path, size } = qrPath(text);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`;
}

/** Approximate side length of the PNG in pixels; modules are whole pixels. */
const PNG_SIDE = 1024;

/** QR code as a PNG file. */
export function qrPng(text: string): Promise<Blob | null> {
  const { size, data } = encode(text, { border: BORDER });
  const scale = Math.ceil(PNG_SIDE / size);
  const canvas = document.createElement('canvas');
  canvas.width = size * scale;
  canvas.height = size * scale;
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000';
  for (const [y, row] of data.entries())
    for (const [x, isDark] of row.entries()) if (isDark) context.fillRect(x * scale, y * scale, scale, scale);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** QR code, dark on white in every color scheme, since scanners need it. */
export function QrCode({ text, label, side = 220 }: { text: string; label: string; side?: number }) {
  const { path, size } = qrPath(text);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={side}
      height={side}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
