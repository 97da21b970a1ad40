import { CanvasTexture, SRGBColorSpace, type Texture } from 'three';
import { STAGE_TEXTS, type StageTextKey } from '../../document/stage-texts.ts';
import type { StageContext } from '../context.ts';

/** Receives errors of a source. */
export interface SourceReport {
  /**
   * Shows an error in place of the picture; the same error may be reported repeatedly.
   * @param key of the visitor's message; null after recovery
   * @param details for the console
   * @param values for the message's placeholders
   */
  trouble(key: StageTextKey | null, details?: string, values?: Readonly<Record<string, string>>): void;
}

/**
 * Reports source errors to the console and the visitor, each message once.
 * @param show displays the message in the element's place, or removes it if empty; omitted if nothing is drawn
 */
export function reportTrouble(
  context: StageContext,
  elementId: number,
  show?: (message: string) => void,
): SourceReport {
  let shown = '';
  return {
    trouble: (key, details, values = {}) => {
      const sentence = key ? context.say(key) || STAGE_TEXTS[key] : '';
      const message = sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
      if (message === shown) return;
      shown = message;
      if (message) context.fail(details ? `${message} (${details})` : message, elementId);
      show?.(message);
    },
  };
}

/** An error message over a panel, and the report that updates it. */
export function panelReport(context: StageContext, elementId: number): { report: SourceReport; message: HTMLElement } {
  const message = document.createElement('p');
  message.className = 'stage-trouble';
  message.role = 'status';
  const report = reportTrouble(context, elementId, (text) => {
    message.textContent = text;
  });
  return { report, message };
}

/** Size of a message's texture in pixels: 16:9, like most videos. */
const SIZE = { width: 1024, height: 576 } as const;
const MARGIN = 64;
const LINE_HEIGHT = 60;

/** Wraps text to a width in pixels. */
function wrap(pen: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && pen.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Renders a message as a video texture. @param flipY false on models, whose textures are unflipped */
export function troubleTexture(message: string, flipY: boolean): Texture {
  const canvas = Object.assign(document.createElement('canvas'), SIZE);
  const pen = canvas.getContext('2d')!;
  pen.fillStyle = '#14171C';
  pen.fillRect(0, 0, SIZE.width, SIZE.height);
  pen.fillStyle = '#F7F6F2';
  pen.font = '44px system-ui, sans-serif';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  const lines = wrap(pen, message, SIZE.width - 2 * MARGIN);
  const top = (SIZE.height - (lines.length - 1) * LINE_HEIGHT) / 2;
  for (const [index, line] of lines.entries()) pen.fillText(line, SIZE.width / 2, top + index * LINE_HEIGHT);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.flipY = flipY;
  return texture;
}
