import type { Assessment } from '../../../protocol/events/event';
import { seenVersions } from '../../log/seenFiles';
import { rehearse, type Rehearsed } from '../../tools/files/rehearse';
import type { RiskAnalyzer } from '../../ports/analyzer';
import { worst } from '../../risk/assessment';
import { folderAfterCd } from '../../shell/syntax/place';
import { plainPath } from '../../risk/pathRules';
import { folderOfScript, npmPin } from '../scripts/pins';
import { sortByWeight, changeReasons, runChanges, type RunChange } from '../../shell/files/manifestFields';
import { parseJsonObject } from '../../text/parseJson';

const isManifest = (path: string): boolean => /(^|\/)package\.json$/.test(plainPath(path));

/**
 * Compares package.json with what an edit would leave. Requires approval for fields that make other programs run
 * something: scripts, hooks, programs. Approved changes are recorded, so that the same script is not reported as
 * changed later.
 */
export const manifestAnalyzer: RiskAnalyzer = {
  name: 'package.json',
  async assess({ call, environment, history }) {
    if (!call.touches.writes?.some(isManifest)) return undefined;
    const rehearsed = await rehearse(call, environment, {
      history,
      versionSeen: (path) => seenVersions(history).get(path),
    });
    const found =
      rehearsed
        ?.filter(({ path }) => isManifest(path))
        .map((change) => judgeManifest(change, environment.scripts?.hash)) ?? [];
    return found.length > 0 ? found.reduce(worst) : undefined;
  },
};

function judgeManifest({ path, before, after }: Rehearsed, hash: ((text: string) => string) | undefined): Assessment {
  const shown = folderAfterCd('.', path);
  const now = parseManifest(after);
  if (now === undefined)
    return {
      level: 'high',
      reasons: [`Leaves invalid JSON in ${shown}, so Waymark cannot tell what it would run.`],
      culprit: path,
    };
  const changes = runChanges(parseManifest(before) ?? {}, now);
  if (changes.length === 0) return { level: 'low', reasons: [] };
  const pins =
    hash &&
    Object.fromEntries(
      changes.map(({ script, field, now: value }) => [
        script === undefined ? `field:${shown}#${field}` : npmPin(folderOfScript(shown), script),
        hash(typeof value === 'string' ? value : JSON.stringify(value ?? null)),
      ]),
    );
  return {
    level: 'high',
    reasons: changeReasons(shown, changes),
    culprit: namedKey(changes, after, before) ?? path,
    categories: ['protected'],
    ...(changes.some(({ byItself, verb }) => byItself && verb !== 'Removes') && { guarded: true }),
    ...(pins && { pins }),
  };
}

/** Returns the first key named in the reasons, as written in the file, for highlighting in the diff. */
function namedKey(changes: readonly RunChange[], after: string | null, before: string | null): string | undefined {
  const [first] = sortByWeight(changes);
  const name = first?.script ?? first?.field.split('.').at(-1);
  const key = JSON.stringify(name ?? '');
  return [after, before].some((text) => text?.includes(key)) ? key : undefined;
}

/** A missing file counts as empty. Returns undefined if the text is not a JSON object. */
const parseManifest = (text: string | null): Readonly<Record<string, unknown>> | undefined =>
  parseJsonObject((text ?? '').replace(/^\uFEFF/, '') || '{}');
