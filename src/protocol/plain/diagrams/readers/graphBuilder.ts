import {
  NotDrawn,
  limits,
  type Direction,
  type GraphDiagram,
  type GraphEdge,
  type GraphGroup,
  type GraphNode,
} from './diagram';

/** A graph that grows line by line. Whoever is named twice is one node. */
export class GraphBuilder {
  readonly graph: GraphDiagram;
  private readonly byId = new Map<string, GraphNode>();
  private readonly groupById = new Map<string, number>();
  private readonly open: number[] = [];

  constructor(kind: GraphDiagram['kind'], direction: Direction = 'TB') {
    this.graph = { kind, title: '', direction, nodes: [], edges: [], groups: [] };
  }

  get depth(): number {
    return this.open.length;
  }

  /** The innermost group that is open. */
  get group(): number | undefined {
    return this.open.at(-1);
  }

  knownNode(id: string): GraphNode | undefined {
    return this.byId.get(id);
  }

  knownGroup(id: string): GraphGroup | undefined {
    return this.graph.groups[this.groupById.get(id) ?? -1];
  }

  /** The node of this name, made where there is none. In the group where it is named first, as Mermaid has it. */
  node(id: string, first: Partial<Pick<GraphNode, 'sections' | 'shape'>> = {}): GraphNode {
    const known = this.byId.get(id);
    if (known) {
      known.group ??= this.group;
      return known;
    }
    if (this.graph.nodes.length >= limits.nodes) throw new NotDrawn('large');
    const node: GraphNode = { id, sections: [id], shape: 'box', group: this.group, ...first };
    this.byId.set(id, node);
    this.graph.nodes.push(node);
    return node;
  }

  /** The target of an edge: a group if one has that name. */
  end(id: string, first?: Parameters<GraphBuilder['node']>[1]): void {
    if (!this.groupById.has(id)) this.node(id, first);
  }

  edge(edge: GraphEdge): void {
    if (this.graph.edges.length >= limits.edges) throw new NotDrawn('large');
    this.graph.edges.push(edge);
  }

  openGroup(id: string, title: string): void {
    if (this.graph.groups.length >= limits.nodes) throw new NotDrawn('large');
    // A node of that name was meant to be this group.
    const asNode = this.byId.get(id);
    if (asNode) {
      this.byId.delete(id);
      this.graph.nodes.splice(this.graph.nodes.indexOf(asNode), 1);
    }
    const index = this.graph.groups.length;
    // Who opens a name a second time makes another group, to which no edge leads.
    const own = this.groupById.has(id) ? unwritten(id, index) : id;
    this.graph.groups.push({ id: own, title, parent: this.group });
    this.groupById.set(own, index);
    this.open.push(index);
  }

  /** Goes on with a group that was closed before. */
  reopenGroup(id: string): boolean {
    const index = this.groupById.get(id);
    if (index === undefined || this.graph.groups[index]!.parent !== this.group) return false;
    this.open.push(index);
    return true;
  }

  closeGroup(): void {
    this.open.pop();
  }

  direct(direction: Direction): void {
    const group = this.group === undefined ? undefined : this.graph.groups[this.group];
    if (group) group.direction = direction;
    else this.graph.direction = direction;
  }
}

/** An id that no text can name, since none has a new line in it. */
export const unwritten = (kind: string, of: string | number): string => `${kind}\n${of}`;

/** "TD" is another word for "TB". */
export const directionOf = (word: string): Direction => (word === 'TD' ? 'TB' : (word as Direction));
