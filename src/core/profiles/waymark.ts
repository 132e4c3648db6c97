import type { StuckThresholds, Profile } from '../ports/profile';

/** Default thresholds. Profiles may use others. */
export const stuckThresholds: StuckThresholds = {
  sameResult: { hint: 3, stop: 4 },
  sameError: { hint: 3, stop: 4 },
  alternating: { hint: 5, stop: 6 },
  monologue: { hint: 0, stop: 3 },
  window: 20,
};

/** Waymark's own profile. Its texts are in core/agent/prompt.ts and in the tools. */
export const waymarkProfile: Profile = {
  name: 'waymark',
  description:
    'The default: small, checked steps with all tools. Reads run in parallel, and risky actions need approval.',
  format: { kind: 'tool_calls' },
  templates: {},
  end: { text: 'answer', markers: [] },
  limits: { steps: 100, cost: 5, seconds: 0 },
  failureLimits: { formatErrors: 3, emptyReplies: 2, unknownTools: 0, badArguments: 0, continuations: 3 },
  faultyReply: 'kept',
  parallel: 'reads',
  branches: false,
  repairsCalls: false,
  remindsOfWork: true,
  condenser: { kind: 'summarizing', maxEvents: 0, maxWindowShare: 0.8, keepFirst: 1 },
  stuck: stuckThresholds,
  skills: true,
  toolsets: ['default'],
  wrapUp: false,
};
