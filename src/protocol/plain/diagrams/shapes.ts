import type { EdgeEnd, NodeShape } from './readers/diagram';
import { svgPath, rectangle, type Part } from './drawing';
import type { Point, Size } from './layered';

/** A node with its position. */
export interface Box extends Size, Point {
  readonly shape: NodeShape;
}

/** Returns the size that a shape needs around its text. */
export function sizeAround(shape: NodeShape, { width, height }: Size, size: number): Size {
  const padded = { width: width + size * 2, height: height + size * 1.3 };
  switch (shape) {
    case 'start':
    case 'end':
      return { width: size * 1.4, height: size * 1.4 };
    case 'bar':
      return { width: size * 6, height: size * 0.5 };
    case 'diamond': {
      const isEmpty = width === 0;
      return isEmpty
        ? { width: size * 2.4, height: size * 2.4 }
        : { width: width * 1.4 + height + size, height: height * 1.5 + width * 0.22 + size };
    }
    case 'circle':
    case 'doubleCircle': {
      const across = Math.hypot(width, height) + size * (shape === 'circle' ? 1 : 1.8);
      return { width: across, height: across };
    }
    case 'cylinder':
      return { width: padded.width, height: padded.height + size };
    case 'hexagon':
    case 'leanRight':
    case 'leanLeft':
    case 'trapezoid':
    case 'trapezoidDown':
    case 'flag':
    case 'subroutine':
    case 'stadium':
      return { width: padded.width + size, height: padded.height };
    default:
      return padded;
  }
}

export function partsOfShape({ shape, x, y, width, height }: Box): Part[] {
  const [left, top, right, bottom] = [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
  const slant = Math.min(12, width / 4);
  const node = (d: string, className = 'diagram-node'): Part => ({ type: 'path', className, d });
  const outline = (...points: readonly number[]): Part[] => {
    let d = '';
    for (let index = 0; index < points.length; index += 2)
      d += `${d === '' ? 'M' : 'L'}${svgPath`${points[index]!} ${points[index + 1]!}`}`;
    return [node(`${d}z`)];
  };
  const ellipse = (across: number, high: number): string =>
    svgPath`M${x - across} ${y}a${across} ${high} 0 1 0 ${2 * across} 0a${across} ${high} 0 1 0 ${-2 * across} 0z`;
  switch (shape) {
    case 'round':
      return [node(rectangle({ x: left, y: top, width, height, radius: 8 }))];
    case 'stadium':
      return [node(rectangle({ x: left, y: top, width, height, radius: height }))];
    case 'subroutine':
      return [
        node(rectangle({ x: left, y: top, width, height })),
        node(svgPath`M${left + 6} ${top}v${height}M${right - 6} ${top}v${height}`, 'diagram-line'),
      ];
    case 'cylinder': {
      const cap = Math.min(8, height / 5);
      return [
        node(
          svgPath`M${left} ${top + cap}a${width / 2} ${cap} 0 0 1 ${width} 0v${height - 2 * cap}a${width / 2} ${cap} 0 0 1 ${-width} 0z`,
        ),
        node(svgPath`M${left} ${top + cap}a${width / 2} ${cap} 0 0 0 ${width} 0`, 'diagram-line'),
      ];
    }
    case 'circle':
      return [node(ellipse(width / 2, height / 2))];
    case 'doubleCircle':
      return [node(ellipse(width / 2, height / 2)), node(ellipse(width / 2 - 4, height / 2 - 4), 'diagram-line')];
    case 'start':
      return [node(ellipse(width / 2, height / 2), 'diagram-full')];
    case 'end':
      return [node(ellipse(width / 2, height / 2)), node(ellipse(width / 4, height / 4), 'diagram-full')];
    case 'bar':
      return [node(rectangle({ x: left, y: top, width, height, radius: 2 }), 'diagram-full')];
    case 'diamond':
      return outline(x, top, right, y, x, bottom, left, y);
    case 'hexagon':
      return outline(
        left + slant,
        top,
        right - slant,
        top,
        right,
        y,
        right - slant,
        bottom,
        left + slant,
        bottom,
        left,
        y,
      );
    case 'leanRight':
      return outline(left + slant, top, right, top, right - slant, bottom, left, bottom);
    case 'leanLeft':
      return outline(left, top, right - slant, top, right, bottom, left + slant, bottom);
    case 'trapezoid':
      return outline(left + slant, top, right - slant, top, right, bottom, left, bottom);
    case 'trapezoidDown':
      return outline(left, top, right, top, right - slant, bottom, left + slant, bottom);
    case 'flag':
      return outline(left, top, right, top, right, bottom, left, bottom, left + slant, y);
    case 'note':
      return [
        node(svgPath`M${left} ${top}h${width - 8}l8 8v${height - 8}h${-width}z`, 'diagram-note-box'),
        node(svgPath`M${right - 8} ${top}v8h8`, 'diagram-line'),
      ];
    default:
      return [node(rectangle({ x: left, y: top, width, height, radius: 2 }))];
  }
}

const roundShapes: ReadonlySet<Box['shape']> = new Set(['circle', 'doubleCircle', 'start', 'end']);

/** Returns how far a point is from the center, as a multiple of the distance of the outline in that direction. */
function relativeDistance(shape: Box['shape'], across: number, up: number): number {
  if (shape === 'diamond') return across + up;
  return roundShapes.has(shape) ? Math.hypot(across, up) : Math.max(across, up);
}

/** Returns the point at which a line from the center of a box towards a point leaves the box. */
export function edgeOfBox({ shape, x, y, width, height }: Box, to: Point): Point {
  const [dx, dy] = [to.x - x, to.y - y];
  if (dx === 0 && dy === 0) return { x, y: y + height / 2 };
  const reach = relativeDistance(shape, Math.abs(dx) / (width / 2), Math.abs(dy) / (height / 2));
  return { x: x + dx / reach, y: y + dy / reach };
}

/** Returns an SVG path through points with rounded corners. */
export function curvePath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.pop();
  if (!first || !last) return '';
  let d = svgPath`M${first.x} ${first.y}`;
  rest.forEach((point, index) => {
    const next = rest[index + 1] ?? last;
    const before = rest[index - 1] ?? first;
    if (index === 0) d += svgPath`L${(before.x + point.x) / 2} ${(before.y + point.y) / 2}`;
    d += svgPath`Q${point.x} ${point.y} ${(point.x + next.x) / 2} ${(point.y + next.y) / 2}`;
  });
  return d + svgPath`L${last.x} ${last.y}`;
}

/** Draws the symbol at the end of a line that comes from `from`. */
export function arrowHeadParts(end: EdgeEnd, at: Point, from: Point): Part[] {
  const length = Math.hypot(at.x - from.x, at.y - from.y) || 1;
  const [ux, uy] = [(at.x - from.x) / length, (at.y - from.y) / length];
  /** Returns a point at a distance back along the line and beside it. */
  const pointBehind = (along: number, beside = 0): Point => ({
    x: at.x - ux * along - uy * beside,
    y: at.y - uy * along + ux * beside,
  });
  const lines = (...pairs: readonly (readonly [Point, Point])[]): Part => ({
    type: 'path',
    className: 'diagram-head',
    d: pairs.map(([one, other]) => svgPath`M${one.x} ${one.y}L${other.x} ${other.y}`).join(''),
  });
  const filled = (className: string, ...points: readonly Point[]): Part => ({
    type: 'path',
    className,
    d: `${points.map(({ x, y }, index) => (index === 0 ? svgPath`M${x} ${y}` : svgPath`L${x} ${y}`)).join('')}z`,
  });
  const ring = (along: number): Part => {
    const { x, y } = pointBehind(along);
    return { type: 'path', className: 'diagram-hollow', d: svgPath`M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z` };
  };
  const fork = [
    [pointBehind(9), pointBehind(0, 5)],
    [pointBehind(9), pointBehind(0, -5)],
    [pointBehind(9), pointBehind(0)],
  ] as const;
  const bar = (along: number): readonly [Point, Point] => [pointBehind(along, 5), pointBehind(along, -5)];
  switch (end) {
    case 'none':
      return [];
    case 'arrow':
      return [filled('diagram-arrow', at, pointBehind(8, 4), pointBehind(8, -4))];
    case 'triangle':
      return [filled('diagram-hollow', at, pointBehind(11, 6), pointBehind(11, -6))];
    case 'diamond':
      return [filled('diagram-hollow', at, pointBehind(8, 5), pointBehind(16), pointBehind(8, -5))];
    case 'fullDiamond':
      return [filled('diagram-arrow', at, pointBehind(8, 5), pointBehind(16), pointBehind(8, -5))];
    case 'circle':
      return [ring(4)];
    case 'cross':
      return [lines([pointBehind(2, 4), pointBehind(10, -4)], [pointBehind(2, -4), pointBehind(10, 4)])];
    case 'one':
      return [lines(bar(5), bar(9))];
    case 'maybeOne':
      return [lines(bar(5)), ring(12)];
    case 'many':
      return [lines(...fork, bar(12))];
    case 'maybeMany':
      return [lines(...fork), ring(13)];
  }
}
