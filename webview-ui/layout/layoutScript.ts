import dagre from '@dagrejs/dagre';
import { showDiagram } from './showDiagram';

/** Positions of the nodes of a graph, from top to bottom. */
interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly { x: number; y: number }[];
  readonly edges: readonly (readonly { x: number; y: number }[])[];
}

type Layout = (
  count: number,
  edges: readonly (readonly [number, number])[],
  size: { width: number; height: number },
) => GraphLayout;

const layout: Layout = (count, edges, { width, height }) => {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 12, ranksep: 28, marginx: 2, marginy: 2 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (let node = 0; node < count; node++) graph.setNode(String(node), { width, height });
  for (const [from, to] of edges) graph.setEdge(String(from), String(to));
  dagre.layout(graph);
  const { width: wide = 0, height: high = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width: wide,
    height: high,
    nodes: Array.from({ length: count }, (_, node) => {
      const { x, y } = graph.node(String(node)) as { x: number; y: number };
      return { x, y };
    }),
    edges: edges.map(
      ([from, to]) => (graph.edge(String(from), String(to)) as { points: { x: number; y: number }[] }).points,
    ),
  };
};

/** Drawing functions. They are in a separate script, because few sessions need them. */
export interface LayoutScript {
  readonly layout: Layout;
  readonly showDiagram: typeof showDiagram;
}

(globalThis as { waymarkDraws?: LayoutScript }).waymarkDraws = { layout, showDiagram };
