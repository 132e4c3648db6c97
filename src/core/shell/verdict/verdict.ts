import { judgedAs, worstOf, type Judged } from '../../risk/assessment';
import type { Finding } from '../../risk/finding';
import { claimOf } from '../programs/families';
import type { CommandContext } from '../effects/context';
import type { Effect } from '../effects/effect';
import { judge, subjectOf } from './policy';

/**
 * Puts together what the effects of a line mean. Where it is known in words what a command with these words does,
 * that is said in place
 * of what the tables say of such commands in general.
 */
export function verdictOn(effects: readonly Effect[], context: CommandContext, text: string): Judged {
  const claimed = claims(effects);
  const judged = effects.map((effect) =>
    judge(isReplaced(effect, claimed) ? { ...effect, general: true } : effect, context),
  );
  const all = [...judged, ...[...claimed.values()].map((finding) => judgedAs(finding))];
  const exact = exactIn(text, effects);
  return worstOf(all.map((one) => (one.findings ? { ...one, findings: one.findings.map(exact) } : one)));
}

/** What is claimed of each command that is asked about, by its subject. */
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

/** Whether a claim says the same in other words: about the command as a whole, or about what nobody knows of it. */
function isReplaced(effect: Effect, claimed: ReadonlyMap<string, Finding>): effect is Effect & { kind: 'other' } {
  const subject = subjectOf(effect);
  if (effect.kind !== 'other' || effect.floor || subject === undefined || !claimed.has(subject)) return false;
  return effect.part === undefined && effect.harm !== 'runs' && effect.harm !== 'leaks';
}

/** Gives each finding its part of the text as it is written, so that it can be shown; else the command around it. */
function exactIn(text: string, effects: readonly Effect[]): (finding: Finding) => Finding {
  const around = new Map(effects.map(({ by, startedBy, culprit }) => [by?.whole, [startedBy, culprit]] as const));
  const known = new Map<string, string>();
  return (finding) => {
    if (finding.part === undefined) return finding;
    const candidates = [finding.part, ...(around.get(finding.part) ?? [])].filter(
      (one) => one !== undefined && one !== '',
    );
    const part =
      known.get(finding.part) ?? candidates.map((one) => written(one!, text)).find((one) => one !== undefined) ?? text;
    known.set(finding.part, part);
    return { ...finding, part };
  };
}

/** The part as it is written, whatever blanks are between its words. */
function written(words: string, text: string): string | undefined {
  if (text.includes(words)) return words;
  if (words.length > 2000) return undefined;
  const escaped = words.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(escaped.join(String.raw`(?:\s|\\\n)+`)).exec(text)?.[0];
}
