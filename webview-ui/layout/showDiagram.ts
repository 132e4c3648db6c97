import { draw, type DrawnDiagram } from '../../src/protocol/plain/diagrams/draw';
import { NotDrawn, type DiagramKind } from '../../src/protocol/plain/diagrams/readers/diagram';
import { placedLines, type Letters } from '../../src/protocol/plain/diagrams/drawing';

/** Looks up a panel string by key. */
type Words = (
  key: `diagram.${DiagramKind}` | 'diagram.showSource' | 'diagram.show' | `diagram.not.${NotDrawn['why']}`,
  values?: Record<string, string | number>,
) => string;

/** Cached, because cards are unmounted and mounted again during scrolling. */
const diagramCache = new Map<string, DrawnDiagram | NotDrawn>();
const maxCachedDiagrams = 60;

/** Replaces a code block with its diagram. The code remains one click away. */
export function showDiagram(block: HTMLElement, words: Words): void {
  if (block.querySelector('.diagram, .diagram-not')) return;
  const code = block.querySelector('pre');
  const bar = block.querySelector('.code-bar');
  if (!code || !bar) return;
  const found = drawBlock(code.textContent, block);
  if (found instanceof NotDrawn) {
    const why = document.createElement('p');
    why.className = 'diagram-not';
    why.textContent = words(`diagram.not.${found.why}`, { n: found.line });
    block.append(why);
    return;
  }
  const figure = document.createElement('div');
  figure.className = 'diagram';
  figure.tabIndex = 0;
  figure.append(svgOf(found, words(`diagram.${found.kind}`)));
  const toggle = document.createElement('button');
  toggle.type = 'button';
  toggle.className = 'link diagram-toggle';
  toggle.dataset.testid = 'diagram-source';
  const show = (isSource: boolean): void => {
    code.hidden = !isSource;
    figure.hidden = isSource;
    toggle.textContent = words(isSource ? 'diagram.show' : 'diagram.showSource');
  };
  toggle.addEventListener('click', (event) => {
    event.stopPropagation();
    show(Boolean(code.hidden));
  });
  show(false);
  bar.insertBefore(toggle, bar.lastElementChild);
  code.after(figure);
}

function drawBlock(source: string, block: HTMLElement): DrawnDiagram | NotDrawn {
  const letters = lettersOf(block);
  const key = `${letters.size} ${source}`;
  const before = diagramCache.get(key);
  if (before) return before;
  const now = draw(source, letters);
  const [oldest] = diagramCache.size >= maxCachedDiagrams ? diagramCache.keys() : [];
  if (oldest !== undefined) diagramCache.delete(oldest);
  diagramCache.set(key, now);
  return now;
}

function lettersOf(block: HTMLElement): Letters {
  const { fontFamily, fontSize } = getComputedStyle(block);
  const size = Math.round(parseFloat(fontSize) * 0.92 * 10) / 10;
  const canvas = document.createElement('canvas').getContext('2d');
  if (canvas) canvas.font = `${size}px ${fontFamily}`;
  return { size, width: (words) => canvas?.measureText(words).width ?? words.length * size * 0.6 };
}

const namespace = 'http://www.w3.org/2000/svg';

function svgOf({ drawing: { width, height, parts }, title }: DrawnDiagram, kind: string): SVGElement {
  const svg = element('svg', {
    width: String(Math.ceil(width)),
    height: String(Math.ceil(height)),
    viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`,
    role: 'img',
    'aria-label': `${kind}: ${title}`,
  });
  for (const part of parts) {
    if (part.type === 'path') {
      svg.append(element('path', { class: part.className, d: part.d }));
      continue;
    }
    const text = element('text', {
      class: part.className,
      ...(part.anchor !== 'start' && { 'text-anchor': 'middle' }),
    });
    for (const { words, dy } of placedLines(part)) {
      const span = element('tspan', { x: String(part.x), y: String(part.y), dy: `${dy}em` });
      span.textContent = words;
      text.append(span);
    }
    svg.append(text);
  }
  return svg;
}

function element(name: 'svg' | 'path' | 'text' | 'tspan', attributes: Readonly<Record<string, string>>): SVGElement {
  const made = document.createElementNS(namespace, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}
