import { assessmentOf, worstOf, type Judged } from '../../risk/assessment';
import type { Finding } from '../../risk/finding';
import { claimOf } from '../programs/families';
import type { CommandContext } from '../effects/context';
import type { Effect } from '../effects/effect';
import { judgeEffect, subjectOf } from './judgeEffect';

/**
 * Combines the effects of a line into a verdict. Claims about the exact words of a command replace the general
 * statements of the tables.
 */
export function verdictOn(effects: readonly Effect[], context: CommandContext, text: string): Judged {
  const claimed = claims(effects);
  const judged = effects.map((effect) =>
    judgeEffect(isReplaced(effect, claimed) ? { ...effect, general: true } : effect, context),
  );
  const all = [...judged, ...[...claimed.values()].map((finding) => assessmentOf(finding))];
  const exact = exactIn(text, effects);
  return worstOf(all.map((one) => (one.findings ? { ...one, findings: one.findings.map(exact) } : one)));
}

/** Returns the claims about each command that requires approval, by subject. */
function claims(effects: readonly Effect[]): ReadonlyMap<string, Finding> {
  const found = new Map<string, Finding>();
  for (const effect of effects) {
    const subject = subjectOf(effect);
    if (effect.kind !== 'other' || effect.level !== 'high' || !effect.by || subject === undefined || found.has(subject))
      continue;
    const claim = claimOf(effect.by);
    if (!claim) continue;
    const reason = effect.script ? `${effect.script.name}: ${claim.says}` : claim.says;
    found.set(subject, {
      level: 'high',
      harm: claim.harm,
      reason,
      ground: '',
      part: effect.script?.part ?? effect.by.whole,
      subject,
      rewords: true,
    });
  }
  return found;
}

/**
 * Returns whether a claim covers the same in other words: a statement about the command as a whole, or about what is
 * unknown about it.
 */
function isReplaced(effect: Effect, claimed: ReadonlyMap<string, Finding>): effect is Effect & { kind: 'other' } {
  const subject = subjectOf(effect);
  if (effect.kind !== 'other' || effect.floor || subject === undefined || !claimed.has(subject)) return false;
  return effect.part === undefined && effect.harm !== 'runs' && effect.harm !== 'leaks';
}

/**
 * Returns a function that finds the part of a finding in the text as written, so that it can be highlighted. Falls back
 * to the command around it.
 */
function exactIn(text: string, effects: readonly Effect[]): (finding: Finding) => Finding {
  const around = new Map(effects.map(({ by, startedBy, culprit }) => [by?.whole, [startedBy, culprit]] as const));
  const known = new Map<string, string>();
  return (finding) => {
    if (finding.part === undefined) return finding;
    const candidates = [finding.part, ...(around.get(finding.part) ?? [])].filter(
      (one) => one !== undefined && one !== '',
    );
    const part =
      known.get(finding.part) ??
      candidates.map((one) => findInText(one!, text)).find((one) => one !== undefined) ??
      text;
    known.set(finding.part, part);
    return { ...finding, part };
  };
}

/** Finds words in the text, with any white space between them. */
function findInText(words: string, text: string): string | undefined {
  if (text.includes(words)) return words;
  if (words.length > 2000) return undefined;
  const escaped = words.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(escaped.join(String.raw`(?:\s|\\\n)+`)).exec(text)?.[0];
}
