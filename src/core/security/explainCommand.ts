import type { Assessment } from '../../protocol/events/event';
import { finalAssessment } from '../risk/assessment';
import { asksAlways } from '../risk/confirmation';
import { examineCommand } from '../shell/assessCommand';
import type { CommandContext } from '../shell/effects/context';
import type { Effect, Level } from '../shell/effects/effect';
import { judgeEffect } from '../shell/verdict/judgeEffect';

/** One effect of the command: a description, its level, and the rule that determined it. */
interface ExplainedEffect {
  readonly words: string;
  readonly level: Level;
  readonly reasons: readonly string[];
  readonly rule: string;
  /** True if this effect determines the level of the whole command. */
  readonly decides: boolean;
}

/** How a command was assessed, for people. */
export interface Explanation {
  readonly command: string;
  readonly assessment: Assessment;
  /** What happens to such a command when Waymark asks before risky actions. */
  readonly consequence: string;
  readonly effects: readonly ExplainedEffect[];
}

const consequences: Record<Assessment['level'], string> = {
  low: 'It runs without approval.',
  medium: 'It runs without approval. Its effects can be undone or stay in the workspace.',
  high: 'It waits for approval.',
  unknown: 'It waits for approval.',
};

/** Explains everything that led to the assessment of a command. One that cannot be parsed is explained as high risk. */
export function explainCommand(command: string, context: CommandContext = {}): Explanation {
  const { assessment, effects } = examineCommand(command, context);
  const alwaysWaits = 'It waits for approval of this exact command, in every mode.';
  return {
    command,
    assessment: finalAssessment(assessment),
    consequence: asksAlways(assessment) ? alwaysWaits : consequences[assessment.level],
    effects: differing(effects.filter(isWorthShowing).map((effect) => explained(effect, context, assessment))),
  };
}

function explained(effect: Effect, context: CommandContext, whole: Assessment): ExplainedEffect {
  const { level, reasons, floor } = judgeEffect(effect, context);
  const decides = level === whole.level && level !== 'low';
  return {
    words: describeEffect(effect),
    level: level as Level,
    reasons,
    rule: ruleOf(effect, floor === true),
    decides,
  };
}

const isWorthShowing = (effect: Effect): boolean =>
  effect.kind !== 'other' || effect.culprit !== '' || effect.reason !== undefined;

/** Removes duplicates. Many effects may name the whole of a long command, so the key does not repeat it. */
function differing(effects: readonly ExplainedEffect[]): ExplainedEffect[] {
  const seen = new Map<string, Set<string>>();
  return effects.filter(({ words, ...rest }) => {
    const ofWords = seen.get(words) ?? new Set();
    seen.set(words, ofWords);
    const key = JSON.stringify(rest);
    const isNew = !ofWords.has(key);
    ofWords.add(key);
    return isNew;
  });
}

function describeEffect(effect: Effect): string {
  switch (effect.kind) {
    case 'reads':
      return `reads ${effect.place.path || effect.culprit}`;
    case 'searches':
      return `searches ${effect.place.path || effect.culprit}`;
    case 'lists':
      return `lists ${effect.place.path || effect.culprit}`;
    case 'writes':
      return `writes ${effect.place.path || effect.culprit}`;
    case 'deletes':
      return `deletes ${effect.place.path || effect.culprit}${effect.recursive ? ' and everything in it' : ''}`;
    case 'fetches':
      return `fetches ${effect.url || effect.culprit}`;
    case 'runs':
      return `runs ${effect.name}, a script of the project`;
    case 'other':
      return effect.culprit;
  }
}

/** Returns where the rule is defined. SECURITY.md uses the same names. */
function ruleOf(effect: Effect, floor: boolean): string {
  if (floor) return 'floor';
  switch (effect.kind) {
    case 'reads':
    case 'searches':
    case 'lists':
      return 'secret reads and places outside';
    case 'writes':
      return 'protected writes and places outside';
    case 'deletes':
      return 'deletions';
    case 'fetches':
      return 'addresses';
    case 'runs':
      return 'scripts of the project';
    case 'other':
      return 'table of tools and shell syntax';
  }
}
