import { stuckThresholds } from './stuckThresholds';
import type { Profile } from '../ports/profile';
import { jsonReplyText, asXml, formatError, instance } from './workgraphTexts';

/**
 * Modeled on AgentFoundation: structured replies whose action groups form a graph, with a branch for each parallel
 * action.
 */
export const workgraph: Profile = {
  name: 'workgraph',
  description:
    'Structured replies: groups of actions form a graph, and each parallel action continues as a branch that reports back.',
  format: { kind: 'workgraph', syntax: 'xml' },
  templates: { system: asXml, instance, formatError },
  end: { text: 'answer', markers: [] },
  limits: { steps: 100, cost: 5, seconds: 0 },
  failureLimits: { formatErrors: 3, emptyReplies: 2, unknownTools: 0, badArguments: 0, continuations: 0 },
  faultyReply: 'kept',
  tellsResults: true,
  parallel: 'all',
  branches: true,
  repairsCalls: false,
  condenser: { kind: 'summarizing', maxEvents: 0, maxWindowShare: 0.8, keepFirst: 2 },
  stuck: stuckThresholds,
  skills: true,
  toolsets: ['workgraph', 'delegation'],
  wrapUp: false,
};

/** `workgraph` with JSON instead of XML. */
export const workgraphJson: Profile = {
  ...workgraph,
  name: 'workgraph-json',
  description: 'Like workgraph, with JSON instead of XML.',
  format: { kind: 'workgraph', syntax: 'json' },
  templates: { ...workgraph.templates, system: jsonReplyText },
};
