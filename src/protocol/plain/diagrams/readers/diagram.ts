/** Parsed content of a Mermaid diagram, independent of its layout. */
export type Diagram = GraphDiagram | SequenceDiagram;

/** Kinds of Mermaid diagrams that are drawn. */
export type DiagramKind = 'flowchart' | 'state' | 'class' | 'er' | 'sequence';
/** Where the edges of a graph lead: from top to bottom, from bottom to top, and so on. */
export type Direction = 'TB' | 'BT' | 'LR' | 'RL';

/** A diagram of nodes and edges: flowchart, state, class or entity diagram. */
export interface GraphDiagram {
  readonly kind: Exclude<DiagramKind, 'sequence'>;
  title: string;
  direction: Direction;
  readonly nodes: GraphNode[];
  readonly edges: GraphEdge[];
  readonly groups: GraphGroup[];
}

/** The outline of a node. `start`, `end` and `bar` are the pseudo states of a state diagram. */
export type NodeShape =
  | 'box'
  | 'round'
  | 'stadium'
  | 'subroutine'
  | 'cylinder'
  | 'circle'
  | 'doubleCircle'
  | 'flag'
  | 'diamond'
  | 'hexagon'
  | 'leanRight'
  | 'leanLeft'
  | 'trapezoid'
  | 'trapezoidDown'
  | 'start'
  | 'end'
  | 'bar'
  | 'note';

/** A node of a flowchart, state, class or entity diagram. */
export interface GraphNode {
  readonly id: string;
  /** Sections separated by a line, such as the name and the fields of a class. */
  sections: string[];
  shape: NodeShape;
  /** Index of its group. */
  group?: number | undefined;
}

/** A box around nodes. `parent`: index of the group that contains it. */
export interface GraphGroup {
  readonly id: string;
  title: string;
  direction?: Direction | undefined;
  readonly parent?: number | undefined;
}

/** Symbol at the end of an edge. The last four are cardinalities of entity diagrams. */
export type EdgeEnd =
  | 'none'
  | 'arrow'
  | 'circle'
  | 'cross'
  | 'triangle'
  | 'diamond'
  | 'fullDiamond'
  | 'one'
  | 'maybeOne'
  | 'many'
  | 'maybeMany';

/** An arrow or line between two nodes. */
export interface GraphEdge {
  /** Id of a node or of a group. */
  readonly from: string;
  readonly to: string;
  label: string;
  /** Text at the ends, such as a cardinality. */
  readonly fromLabel?: string;
  readonly toLabel?: string;
  readonly line: 'solid' | 'dotted' | 'thick' | 'hidden';
  readonly start: EdgeEnd;
  readonly end: EdgeEnd;
}

/** Messages between participants, from top to bottom. */
export interface SequenceDiagram {
  readonly kind: 'sequence';
  title: string;
  readonly people: Participant[];
  readonly steps: SequenceStep[];
}

/** A column of a sequence diagram. `isActor`: drawn as a person. */
export interface Participant {
  readonly id: string;
  label: string;
  isActor: boolean;
}

/**
 * One line of a sequence diagram. Participants are given by their index. `open`, `next` and `close` delimit the
 * sections of a frame such as `alt`.
 */
export type SequenceStep =
  | {
      readonly type: 'message';
      readonly from: number;
      readonly to: number;
      readonly text: string;
      /** Absent if messages are not numbered. */
      readonly number?: number | undefined;
      readonly isDashed: boolean;
      readonly start: SequenceHead;
      readonly end: SequenceHead;
    }
  | {
      readonly type: 'note';
      readonly from: number;
      readonly to: number;
      readonly side: NoteSide;
      readonly text: string;
    }
  | { readonly type: 'activate' | 'deactivate'; readonly person: number }
  | { readonly type: 'open' | 'next'; readonly word: string; readonly text: string }
  | { readonly type: 'close' };

/** Symbol at the end of a message. */
export type SequenceHead = 'none' | 'arrow' | 'cross' | 'open';
/** Where a note is, relative to its participants. */
export type NoteSide = 'left' | 'right' | 'over';

/** Thrown for a text that is not a supported diagram. */
export class NotDrawn extends Error {
  constructor(
    readonly why: 'kind' | 'large' | 'line',
    /** Line number, from 1. */
    readonly line = 0,
  ) {
    super(`not drawn: ${why} ${line}`);
  }
}

/** Larger diagrams are displayed as text: their layout would take long, and they would be unreadable. */
export const limits = { characters: 20_000, nodes: 200, edges: 300, people: 30, steps: 400, label: 400 };
