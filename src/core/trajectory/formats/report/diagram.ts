import { draw, type DrawnDiagram } from '../../../../protocol/plain/diagrams/draw';
import { placedLines, type Letters, type Part } from '../../../../protocol/plain/diagrams/drawing';
import { hasInvisible } from '../../../../protocol/plain/invisible';
import { NotDrawn, type DiagramKind } from '../../../../protocol/plain/diagrams/readers/diagram';
import { attributeText, markup, type Markup } from './markup';

const size = 13.5;
const narrow = /[ .,:;!|'`iljftrI()[\]{}/\\-]/;
const wide = /[mwMW@%]/;
const fullWidth = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uff60\u{1f000}-\u{1ffff}]/u;

/**
 * Estimates the width of a character in common system fonts, because nothing can be measured while a report is written.
 */
function shareOf(letter: string): number {
  // Invisible characters are displayed as their code points.
  if (hasInvisible(letter)) return 4.5;
  if (fullWidth.test(letter)) return 1;
  if (wide.test(letter)) return 0.9;
  if (narrow.test(letter)) return 0.36;
  return /[A-Z]/.test(letter) ? 0.7 : 0.58;
}

const letters: Letters = {
  size,
  width: (words) => [...words].reduce((sum, letter) => sum + shareOf(letter), 0) * size,
};

const diagramTitles: Readonly<Record<DiagramKind, string>> = {
  flowchart: 'Flowchart',
  sequence: 'Sequence diagram',
  state: 'State diagram',
  class: 'Class diagram',
  er: 'Entity relationship diagram',
};

/**
 * Maximum number of diagrams drawn. A log can contain thousands, and each takes time and space. The rest remain code.
 */
const maxAttempts = 200;

/** Draws the diagrams of one report. */
export class Diagrams {
  #left = maxAttempts;

  /** Draws a Mermaid diagram as an image with its source below. Returns undefined if it cannot be drawn. */
  drawDiagram(source: string): Markup | undefined {
    if (this.#left === 0) return undefined;
    this.#left -= 1;
    const shown = draw(source, letters);
    if (shown instanceof NotDrawn) return undefined;
    const folded = markup`<details class="reasoning"><summary>Source</summary><pre>${source}</pre></details>`;
    return markup`<div class="diagram" tabindex="0">${picture(shown)}</div>${folded}`;
  }
}

function picture({ kind, title, drawing }: DrawnDiagram): Markup {
  const [width, height] = [Math.ceil(drawing.width), Math.ceil(drawing.height)];
  const label = attributeText(`${diagramTitles[kind]}: ${title}`);
  const size = markup`width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return markup`<svg ${size} role="img" aria-label="${label}">${drawing.parts.map(shape)}</svg>`;
}

function shape(part: Part): Markup {
  if (part.type === 'path') return markup`<path class="${part.className}" d="${part.d}"/>`;
  const { className, x, y, anchor } = part;
  const spans = placedLines(part).map(
    // Invisible characters are named in plain text: an HTML element would end the SVG.
    ({ words, dy }) => markup`<tspan x="${x}" y="${y}" dy="${dy}em">${attributeText(words)}</tspan>`,
  );
  return markup`<text class="${className}" text-anchor="${anchor ?? 'middle'}">${spans}</text>`;
}
