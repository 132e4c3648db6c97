import {
  NotDrawn,
  limits,
  type Direction,
  type GraphDiagram,
  type GraphEdge,
  type GraphGroup,
  type GraphNode,
} from './diagram';

/** Builds a graph line by line. Nodes with the same id are merged. */
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

  /** Innermost open group. */
  get group(): number | undefined {
    return this.open.at(-1);
  }

  knownNode(id: string): GraphNode | undefined {
    return this.byId.get(id);
  }

  knownGroup(id: string): GraphGroup | undefined {
    return this.graph.groups[this.groupById.get(id) ?? -1];
  }

  /**
   * Returns the node of this id, creating it if necessary. As in Mermaid, it belongs to the group in which it is first
   * named.
   */
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

  /** Registers an end of an edge: creates a node unless a group has this id. */
  end(id: string, first?: Parameters<GraphBuilder['node']>[1]): void {
    if (!this.groupById.has(id)) this.node(id, first);
  }

  edge(edge: GraphEdge): void {
    if (this.graph.edges.length >= limits.edges) throw new NotDrawn('large');
    this.graph.edges.push(edge);
  }

  openGroup(id: string, title: string): void {
    if (this.graph.groups.length >= limits.nodes) throw new NotDrawn('large');
    // A node of that id was a reference to this group.
    const asNode = this.byId.get(id);
    if (asNode) {
      this.byId.delete(id);
      this.graph.nodes.splice(this.graph.nodes.indexOf(asNode), 1);
    }
    const index = this.graph.groups.length;
    // A second group with the same name is a separate group that no edge can refer to.
    const own = this.groupById.has(id) ? unusedId(id, index) : id;
    this.graph.groups.push({ id: own, title, parent: this.group });
    this.groupById.set(own, index);
    this.open.push(index);
  }

  /** Reopens a closed group. */
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

/** Returns an id that cannot occur in a diagram, because it contains a line break. */
export const unusedId = (kind: string, of: string | number): string => `${kind}\n${of}`;

/** "TD" is a synonym for "TB". */
export const directionOf = (word: string): Direction => (word === 'TD' ? 'TB' : (word as Direction));
