/**
 * Arguments in which agents explain a call or say who may approve it. They do not change what a call does, so they are
 * accepted in any call.
 */
const ignoredNames: ReadonlySet<string> = new Set([
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

/** True if an unknown argument can be ignored silently. */
export const isIgnoredArgument = (name: string): boolean => ignoredNames.has(name);
