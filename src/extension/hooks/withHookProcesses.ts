import type { SessionHooks } from '../../adapters/hooks/sessionHooks';
import type { SessionEnvironment } from '../sessions/sessionEnvironment';

/** The same environment, whose processes are also those that its hooks began: whatever ends the ones ends the others. */
export const withHookProcesses = (
  environment: SessionEnvironment,
  hooks: SessionHooks | undefined,
): SessionEnvironment =>
  hooks
    ? {
        ...environment,
        processes: async () => (await environment.processes()) + hooks.processes(),
        endProcesses: async () => {
          await Promise.all([environment.endProcesses(), hooks.endProcesses()]);
        },
        dispose: async () => {
          await Promise.all([environment.dispose(), hooks.dispose()]);
        },
      }
    : environment;
