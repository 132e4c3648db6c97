/**
 * Arguments in which agents say why they call, or who may allow it. They do not change what a call does, so any call
 * may have them.
 */
const names: ReadonlySet<string> = new Set([
  'description',
  'explanation',
  'reason',
  'reasoning',
  'justification',
  'purpose',
  'intent',
  'thought',
  'thoughts',
  'comment',
  'requires_approval',
  'approved',
  'safe',
  'risk',
  'task_progress',
  'security_risk',
  'toolSummary',
  'toolAction',
  'waitForPreviousTools',
  'dangerouslyDisableSandbox',
]);

/** Whether an argument that a tool does not know can be left out without a word. */
export const isMeaningless = (name: string): boolean => names.has(name);
