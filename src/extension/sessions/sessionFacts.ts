import { contextFill, contextWindowIn } from '../../core/condense/contextFill';
import { isStepping, pauseIsRequested } from '../../core/log/runControl';
import { isSubmitted, statusOf } from '../../core/log/status';
import { settingsOf } from '../../core/log/runSettings';
import { sessionSpending } from '../../core/log/spending';
import type { PanelFacts } from '../../protocol/panel/panel';
import type { LiveSession } from './liveSession';

/** Returns what the panel shows about a session besides its log. `fallback`: used for what its log does not say. */
export function sessionFacts(
  session: LiveSession,
  fallback: Pick<PanelFacts, 'confirmation' | 'mode' | 'profile' | 'limits' | 'next' | 'trusted'>,
): PanelFacts {
  const { savedHistory: history, running } = session.conversation;
  const settings = settingsOf(history);
  const spent = sessionSpending(history);
  const info = session.chosenModel ?? settings?.model;
  return {
    ...fallback,
    running,
    status: statusOf(history),
    submitted: isSubmitted(history),
    writable: session.writable,
    sessionId: session.id,
    title: settings?.title ?? '',
    ...(settings && {
      confirmation: settings.confirmation,
      mode: settings.mode,
      profile: settings.profile,
      limits: settings.limits,
    }),
    ...(session.worktree && { worktree: session.worktree.of }),
    stepping: isStepping(history),
    pauseRequested: pauseIsRequested(history),
    context: settings ? contextFill(history, session.tools.characters(settings)) : null,
    spent: { ...spent.usage, steps: spent.steps, uncounted: spent.uncounted, unpriced: spent.unpriced },
    ...(session.saveProblem !== undefined && { unkept: session.saveProblem }),
    ...(session.problem !== undefined && { problem: session.problem }),
    ...(session.isElsewhere && { elsewhere: true }),
    ...(session.intactCount !== undefined && { salvageable: true }),
    ...(info && {
      model: {
        name: info.name,
        provider: info.provider,
        scripted: info.scripted === true,
        textOnly: info.textOnly === true,
        contextWindow: contextWindowIn(history, info.contextWindow),
      },
    }),
  };
}
