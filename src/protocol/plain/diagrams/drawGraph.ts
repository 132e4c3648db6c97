import {
  NotDrawn,
  type Direction,
  type GraphDiagram,
  type GraphEdge,
  type GraphGroup,
  type GraphNode,
} from './readers/diagram';
import { lineHeight, svgPath, rectangle, textSize, wrapText, type Drawing, type Letters, type Part } from './drawing';
import { layOutInLayers, cycleLinks, type Layers, type Link, type Pinned, type Point, type Size } from './layered';
import { curvePath, edgeOfBox, arrowHeadParts, partsOfShape, sizeAround, type Box } from './shapes';

/** Layout of a group's content, relative to its upper left corner. */
interface GroupLayout extends Size {
  /** Nodes and groups, by id. */
  readonly boxes: ReadonlyMap<string, Box>;
  readonly routes: readonly Route[];
  /** Routes of edges that leave the group, from their inner end outwards. */
  readonly waysOut: ReadonlyMap<GraphEdge, readonly Point[]>;
}

interface Route {
  readonly edge: GraphEdge;
  readonly points: readonly Point[];
  readonly label: Point | undefined;
}

/** Point at which an edge leaves a group. */
interface Port {
  readonly edge: GraphEdge;
  /** Id of the inner end. */
  readonly end: string;
  readonly pin: 'first' | 'last';
}

/** A node or group inside the layers of its parent. */
interface Child extends Pinned {
  readonly id: string;
  /** Layout of its content, if it is a group. */
  readonly inside?: GroupLayout;
  /** Upper left corner of `inside`. */
  readonly corner?: Point;
  /** Size of the node or group itself, without the space for loops beside it. */
  readonly own: Size;
  readonly loops?: readonly GraphEdge[];
}

/** What one group contains. Numbers are indexes of `elements`. */
interface Content {
  readonly elements: readonly (GraphGroup | GraphNode)[];
  readonly between: readonly { readonly edge: GraphEdge; readonly from: number; readonly to: number }[];
  /** Edges that leave the group, with the element that they come from. */
  readonly leaving: readonly (Port & { readonly child: number })[];
}

const margin = 8;
const padding = 14;
const loopRoom = 26;

/** Draws a diagram of nodes and edges. */
export function drawGraph(read: GraphDiagram, letters: Letters): Drawing {
  const diagram = withUniqueIds(read);
  const layout = new GraphLayout(diagram, letters);
  const laid = layout.layAll();
  const title = diagram.title === '' ? [] : wrapText(diagram.title, letters, 400);
  const top = margin + (title.length === 0 ? 0 : textSize(title, letters).height + 10);
  const width = Math.max(laid.width, textSize(title, letters).width) + 2 * margin;
  const moved = moveLayout(laid, { x: (width - laid.width) / 2, y: top });
  const parts: Part[] = [
    ...diagram.groups.map((group) => groupPart(moved.boxes.get(group.id)!)),
    ...layout.edgeParts(moved),
    ...diagram.nodes.flatMap((node) => nodeParts(moved.boxes.get(node.id)!, node, letters)),
    ...diagram.groups.map((group) => titlePart(moved.boxes.get(group.id)!, group.title, letters)),
    ...layout.labelParts(moved),
  ];
  if (title.length > 0)
    parts.push({
      type: 'text',
      className: 'diagram-title',
      x: width / 2,
      y: margin + textSize(title, letters).height / 2,
      lines: title,
    });
  return { width, height: laid.height + top + margin, parts };
}

/** Makes ids unique across nodes and groups. */
function withUniqueIds(diagram: GraphDiagram): GraphDiagram {
  const nodes = diagram.nodes.map((node, index) => ({ ...node, id: `n${index}` }));
  const groups = diagram.groups.map((group, index) => ({ ...group, id: `g${index}` }));
  // If a group and a node have the same id, edges refer to the group.
  const keys = new Map([
    ...diagram.nodes.map(({ id }, index) => [id, nodes[index]!.id] as const),
    ...diagram.groups.map(({ id }, index) => [id, groups[index]!.id] as const),
  ]);
  const edges = diagram.edges.map((edge) => ({ ...edge, from: keys.get(edge.from)!, to: keys.get(edge.to)! }));
  return { ...diagram, nodes, groups, edges };
}

/** Turns layers, which run from top to bottom, to the direction of a diagram. */
class Turn {
  readonly isAcross: boolean;

  constructor(private readonly direction: Direction) {
    this.isAcross = direction === 'LR' || direction === 'RL';
  }

  readonly size = <Turned extends Size>(size: Turned): Turned =>
    this.isAcross ? { ...size, width: size.height, height: size.width } : size;

  layers({ centers, routes, labels, width, height }: Layers): Layers {
    const isUpwards = this.direction === 'BT' || this.direction === 'RL';
    const placePoint = ({ x, y }: Point): Point => {
      const along = isUpwards ? height - y : y;
      return this.isAcross ? { x: along, y: x } : { x, y: along };
    };
    return {
      ...this.size({ width, height }),
      centers: centers.map(placePoint),
      routes: routes.map((points) => points.map(placePoint)),
      labels: labels.map((label) => label && placePoint(label)),
    };
  }
}

class GraphLayout {
  /** Parent group of each node and group; undefined for the diagram itself. */
  private readonly parents = new Map<string, string | undefined>();

  constructor(
    private readonly diagram: GraphDiagram,
    private readonly letters: Letters,
  ) {
    const { nodes, groups } = diagram;
    const idOf = (group: number | undefined): string | undefined =>
      group === undefined ? undefined : groups[group]!.id;
    for (const { id, parent } of groups) this.parents.set(id, idOf(parent));
    for (const { id, group } of nodes) this.parents.set(id, idOf(group));
  }

  layAll(): GroupLayout {
    const laid = this.lay(undefined);
    const taken = new Set(laid.routes.map(({ edge }) => edge));
    // Edges between a group and its own content.
    const others = this.diagram.edges.filter((edge) => !taken.has(edge) && edge.from !== edge.to);
    return { ...laid, routes: [...laid.routes, ...others.map((edge) => ({ edge, points: [], label: undefined }))] };
  }

  /** Lays out a group, nested groups first. `around`: direction of its surroundings. */
  lay(group: string | undefined, around: Direction = this.diagram.direction, ports: readonly Port[] = []): GroupLayout {
    const { groups, edges } = this.diagram;
    // As in Mermaid, a group with links to its surroundings uses the direction of the diagram.
    const isLinked = ports.length > 0;
    const direction = (isLinked ? undefined : groups.find(({ id }) => id === group)?.direction) ?? around;
    const turn = new Turn(direction);
    const content = this.contentOf(group, ports);
    const children = this.childrenIn(content, direction);
    const hasEndLabels = edges.some((edge) => (edge.fromLabel ?? '') !== '' || (edge.toLabel ?? '') !== '');
    const rankGap = this.letters.size * (hasEndLabels ? 5 : 3.4);
    const layers = layOutInLayers(children.map(turn.size), this.linksIn(content, children, turn), rankGap);
    if (!layers) throw new NotDrawn('large');
    return this.laidOut(content, children, turn.layers(layers));
  }

  private contentOf(group: string | undefined, ports: readonly Port[]): Content {
    const { nodes, groups, edges } = this.diagram;
    const elements = [...groups, ...nodes].filter(({ id }) => this.parents.get(id) === group);
    const indexOf = new Map(elements.map(({ id }, index) => [id, index]));
    const inner = (id: string): string | undefined => this.childOf(group, id);
    return {
      elements,
      between: edges.flatMap((edge) => {
        const [from, to] = [inner(edge.from), inner(edge.to)];
        if (from === undefined || to === undefined || from === to) return [];
        return [{ edge, from: indexOf.get(from)!, to: indexOf.get(to)! }];
      }),
      leaving: ports.map((port) => ({ ...port, child: indexOf.get(inner(port.end)!)! })),
    };
  }

  /** Returns the elements of a group with their sizes, then a point for each edge that leaves the group. */
  private childrenIn({ elements, between, leaving }: Content, direction: Direction): Child[] {
    const turned = cycleLinks(elements.length, between);
    const portsOf = elements.map((): Port[] => []);
    const leave = (edge: GraphEdge, end: string, child: number, pin: Port['pin']): void => {
      if (elements[child]!.id !== end) portsOf[child]!.push({ edge, end, pin });
    };
    between.forEach(({ edge, from, to }, link) => {
      leave(edge, edge.from, from, turned.has(link) ? 'first' : 'last');
      leave(edge, edge.to, to, turned.has(link) ? 'last' : 'first');
    });
    for (const { edge, end, child, pin } of leaving) leave(edge, end, child, pin);
    const point = { width: 0, height: 0 };
    return [
      ...elements.map((one, index) =>
        'sections' in one ? this.nodeChild(one) : this.groupChild(one, direction, portsOf[index]!),
      ),
      ...leaving.map(({ pin }, index) => ({ id: `port ${index}`, pin, ...point, own: point })),
    ];
  }

  /** Returns the links to lay out: those between the elements, then those that leave the group. */
  private linksIn({ elements, between, leaving }: Content, children: readonly Child[], turn: Turn): Link[] {
    const shift = (child: number, edge: GraphEdge, end: string): number =>
      edgeOffsetIn(children[child]!, edge, end, turn.isAcross);
    return [
      ...between.map(({ edge, from, to }): Link => ({
        from,
        to,
        label: edge.label === '' ? undefined : turn.size(this.sizeOfLabel(edge.label)),
        fromShift: shift(from, edge, edge.from),
        toShift: shift(to, edge, edge.to),
      })),
      ...leaving.map(({ edge, end, child, pin }, index): Link => {
        const port = elements.length + index;
        const own = shift(child, edge, end);
        return pin === 'last' ? { from: child, to: port, fromShift: own } : { from: port, to: child, toShift: own };
      }),
    ];
  }

  /** Puts the layouts of the elements in their places, and joins the edges that leave them. */
  private laidOut({ elements, between, leaving }: Content, children: readonly Child[], layers: Layers): GroupLayout {
    const boxes = new Map<string, Box>();
    const routes: Route[] = [];
    const innerWays: ReadonlyMap<GraphEdge, readonly Point[]>[] = [];
    elements.forEach((element, index) => {
      const child = children[index]!;
      const center = layers.centers[index]!;
      const left = center.x - child.width / 2;
      const own = { ...child.own, x: left + child.own.width / 2, y: center.y };
      boxes.set(child.id, { shape: 'shape' in element ? element.shape : 'box', ...own });
      if (child.inside && child.corner) {
        const top = center.y - child.height / 2;
        const moved = moveLayout(child.inside, { x: left + child.corner.x, y: top + child.corner.y });
        for (const [id, box] of moved.boxes) boxes.set(id, box);
        routes.push(...moved.routes);
        innerWays[index] = moved.waysOut;
      }
      child.loops?.forEach((edge, loop) => routes.push(this.loopRoute(edge, own, loop)));
    });
    const innerWay = (child: number, edge: GraphEdge): readonly Point[] => innerWays[child]?.get(edge) ?? [];
    between.forEach(({ edge, from, to }, index) => {
      const points = [...innerWay(from, edge), ...layers.routes[index]!, ...[...innerWay(to, edge)].reverse()];
      routes.push({ edge, points, label: layers.labels[index] });
    });
    const waysOut = new Map(
      leaving.map(({ edge, child, pin }, index) => {
        const route = layers.routes[between.length + index]!;
        const port = layers.centers[elements.length + index]!;
        return [edge, [...innerWay(child, edge), ...(pin === 'last' ? route : [...route].reverse()), port]];
      }),
    );
    return { width: layers.width, height: layers.height, boxes, routes, waysOut };
  }

  edgeParts({ boxes, routes }: GroupLayout): Part[] {
    return routes.flatMap(({ edge, points }) => {
      const line = this.lineOf(edge, points, boxes);
      if (edge.line === 'hidden') return [];
      return [
        { type: 'path', className: `diagram-edge is-${edge.line}`, d: curvePath(line) },
        ...arrowHeadParts(edge.start, line[0]!, line[1]!),
        ...arrowHeadParts(edge.end, line.at(-1)!, line.at(-2)!),
      ] satisfies Part[];
    });
  }

  /** Drawn last, so that no line crosses text. */
  labelParts({ boxes, routes }: GroupLayout): Part[] {
    return routes.flatMap(({ edge, points, label }) => {
      const line = this.lineOf(edge, points, boxes);
      const parts: Part[] = [];
      const write = (words: string | undefined, { x, y }: Point): void => {
        if (words !== undefined && words !== '')
          parts.push({ type: 'text', className: 'diagram-label', x, y, lines: this.linesOfLabel(words) });
      };
      write(edge.label, label ?? midpoint(line[0]!, line.at(-1)!));
      const widthOf = (words = ''): number => this.sizeOfLabel(words).width;
      write(edge.fromLabel, labelPosition(line[0]!, line[1]!, this.letters.size, widthOf(edge.fromLabel)));
      write(edge.toLabel, labelPosition(line.at(-1)!, line.at(-2)!, this.letters.size, widthOf(edge.toLabel)));
      return parts;
    });
  }

  private lineOf(edge: GraphEdge, points: readonly Point[], boxes: ReadonlyMap<string, Box>): Point[] {
    if (edge.from === edge.to) return [...points];
    const [from, to] = [boxes.get(edge.from)!, boxes.get(edge.to)!];
    return [edgeOfBox(from, points[0] ?? to), ...points, edgeOfBox(to, points.at(-1) ?? from)];
  }

  /** Returns the child of a group that is or contains the element, or undefined if it is elsewhere. */
  private childOf(group: string | undefined, id: string): string | undefined {
    let child: string | undefined = id;
    for (let turn = 0; turn <= this.diagram.groups.length; turn++) {
      if (child === undefined || this.parents.get(child) === group) return child;
      child = this.parents.get(child);
    }
    // Groups that contain each other.
    throw new NotDrawn('kind');
  }

  private groupChild({ id, title }: GraphGroup, direction: Direction, ports: readonly Port[]): Child {
    const inside = this.lay(id, direction, ports);
    const words = textSize(wrapText(title, this.letters, 240), this.letters);
    const width = Math.max(inside.width, words.width) + 2 * padding;
    const top = words.height + 8;
    const height = top + inside.height + padding;
    const corner = { x: (width - inside.width) / 2, y: top };
    const { loops, room } = this.loopsOf(id);
    return { id, inside, corner, width: width + room, height, own: { width, height }, loops };
  }

  private nodeChild(node: GraphNode): Child {
    const own = sizeOfNode(node, this.letters);
    const { loops, room } = this.loopsOf(node.id);
    return { id: node.id, width: own.width + room, height: own.height, own, loops };
  }

  /** Returns the edges from an element to itself, and the space that they need beside it. */
  private loopsOf(id: string): { loops: readonly GraphEdge[]; room: number } {
    const loops = this.diagram.edges.filter((edge) => edge.from === id && edge.to === id);
    const words = Math.max(0, ...loops.map((edge) => this.sizeOfLabel(edge.label).width));
    return { loops, room: loops.length > 0 ? loopRoom + words : 0 };
  }

  /** Returns a line that leaves an element on its right side and returns to it. */
  private loopRoute(edge: GraphEdge, { x, y, width, height }: Size & Point, loop: number): Route {
    const right = x + width / 2;
    const out = right + loopRoom - 6 + loop * 4;
    const up = height / 4;
    const points = [
      { x: right, y: y - up },
      { x: out, y: y - up },
      { x: out, y: y + up },
      { x: right, y: y + up },
    ];
    const label = { x: out + 4 + this.sizeOfLabel(edge.label).width / 2, y };
    return { edge, points, label };
  }

  private linesOfLabel(words: string): string[] {
    return wrapText(words, this.letters, this.letters.size * 14);
  }

  private sizeOfLabel(words: string): Size {
    const { width, height } = textSize(this.linesOfLabel(words), this.letters);
    return { width: width + 6, height: height + 2 };
  }
}

/** Returns the offset at which an edge leaves a child from its center, along its layer. */
function edgeOffsetIn(
  { inside, corner, own, width, height }: Child,
  edge: GraphEdge,
  end: string,
  isAcross: boolean,
): number {
  const out = inside?.waysOut.get(edge)?.at(-1) ?? inside?.boxes.get(end);
  if (out && corner) return isAcross ? corner.y + out.y - height / 2 : corner.x + out.x - width / 2;
  return isAcross ? 0 : (own.width - width) / 2;
}

function moveLayout({ boxes, routes, waysOut, ...size }: GroupLayout, { x, y }: Point): GroupLayout {
  const movePoint = <Place extends Point>(place: Place): Place => ({ ...place, x: place.x + x, y: place.y + y });
  return {
    ...size,
    boxes: new Map([...boxes].map(([id, box]) => [id, movePoint(box)])),
    routes: routes.map(({ edge, points, label }) => ({
      edge,
      points: points.map(movePoint),
      label: label && movePoint(label),
    })),
    waysOut: new Map([...waysOut].map(([edge, points]) => [edge, points.map(movePoint)])),
  };
}

const linesOfNode = (section: string, letters: Letters): string[] => wrapText(section, letters, letters.size * 16);

function sizeOfNode({ sections, shape }: GraphNode, letters: Letters): Size {
  const sizes = sections.filter(isVisibleSection).map((section) => textSize(linesOfNode(section, letters), letters));
  const width = Math.max(0, ...sizes.map((size) => size.width));
  const height = sizes.reduce((sum, size) => sum + size.height, 0) + Math.max(0, sizes.length - 1) * 10;
  return sizeAround(shape, { width, height }, letters.size);
}

const isVisibleSection = (section: string, index: number): boolean => index === 0 || section !== '';

function nodeParts(box: Box, { sections, shape }: GraphNode, letters: Letters): Part[] {
  const parts = partsOfShape(box);
  const written = sections.filter(isVisibleSection).map((section) => linesOfNode(section, letters));
  if (written.length === 1) {
    const drop = shape === 'cylinder' ? letters.size * 0.4 : 0;
    if (sections[0] !== '')
      parts.push({ type: 'text', className: 'diagram-words', x: box.x, y: box.y + drop, lines: written[0]! });
    return parts;
  }
  const line = lineHeight(letters);
  let y = box.y - box.height / 2 + letters.size * 0.65;
  written.forEach((lines, index) => {
    const height = lines.length * line;
    const isHead = index === 0;
    parts.push({
      type: 'text',
      className: isHead ? 'diagram-words is-head' : 'diagram-words',
      x: isHead ? box.x : box.x - box.width / 2 + letters.size * 0.7,
      y: y + height / 2,
      lines,
      ...(!isHead && { anchor: 'start' }),
    });
    y += height + 5;
    if (index + 1 < written.length)
      parts.push({ type: 'path', className: 'diagram-line', d: svgPath`M${box.x - box.width / 2} ${y}h${box.width}` });
    y += 5;
  });
  return parts;
}

const groupPart = ({ x, y, width, height }: Box): Part => ({
  type: 'path',
  className: 'diagram-group',
  d: rectangle({ x: x - width / 2, y: y - height / 2, width, height, radius: 4 }),
});

/** Title at the top of a group, above incoming lines. */
function titlePart({ x, y, width, height }: Box, title: string, letters: Letters): Part {
  const lines = wrapText(title, letters, Math.max(240, width - 2 * padding));
  const top = y - height / 2;
  return { type: 'text', className: 'diagram-group-title', x, y: top + 4 + textSize(lines, letters).height / 2, lines };
}

const midpoint = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });

/** Returns the position for a text of this width, beside the end of a line that comes from `from`. */
function labelPosition(at: Point, from: Point, size: number, width: number): Point {
  const length = Math.hypot(at.x - from.x, at.y - from.y) || 1;
  const [ux, uy] = [(at.x - from.x) / length, (at.y - from.y) / length];
  const back = { x: at.x - ux * size * 1.5, y: at.y - uy * size * 1.5 };
  const isSteep = Math.abs(uy) > Math.abs(ux);
  return isSteep ? { x: back.x + size / 2 + width / 2, y: back.y } : { x: back.x, y: back.y - size };
}
