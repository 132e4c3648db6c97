import type { Judge } from '../../calls/manual';
import type { Scope } from '../../effects/scope';
import { managerNamed } from '../../files/installs';

/** Records what an installation or a build runs by itself if it is new or changed since the session began. */
export function judgeInstall(program: string, scope: Scope, whole: string): void {
  const manager = managerNamed(program);
  if (manager === undefined || scope.cwd === undefined) return;
  const found = scope.context.lookUp?.('install', manager, scope.cwd);
  for (const reason of found?.alarms ?? []) {
    scope.effects.push({
      kind: 'other',
      level: 'high',
      reason,
      culprit: whole,
      ...(found?.guarded && { guarded: true as const }),
    });
  }
}

/** For package managers whose remaining rules are in the tables. */
export const judgeProjectInstall: Judge = ({ name, scope, whole }) => {
  judgeInstall(name.split(' ')[0]!, scope, whole);
  return undefined;
};
