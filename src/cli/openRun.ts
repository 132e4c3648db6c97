import fs from 'node:fs';
import path from 'node:path';
import { placeOf } from '../adapters/eventLog';
import { learnSecretsOf } from '../adapters/learnSecretsOf';
import { openTrajectory, type OpenedTrajectory } from '../adapters/openTrajectory';
import { storedSessions } from './workplace';

/** A run that a person named: a file or folder of any format, or the id of a session. What is secret where it ran is known from then on. */
export async function openRun(named: string, run = 0): Promise<OpenedTrajectory & { readonly id: string }> {
  const sessions = storedSessions();
  const isId = /^[\w.-]+$/.test(named) && !named.startsWith('.') && !fs.existsSync(named);
  const log = isId ? placeOf(sessions.logOf(named)) : named;
  if (isId && !fs.existsSync(log)) throw new Error(`There is no file and no session named ${named}. Name a trajectory, or the id of a session.`);
  const opened = await openTrajectory(log, run, isId ? sessions.doubtOf(named) : sessions.doubtAt(path.resolve(log)));
  learnSecretsOf(opened.events, [process.cwd()]);
  return { ...opened, id: isId ? named : idOf(log) };
}

/** A file's name without the ends that formats give it; the folder's for logs that all have one name. */
function idOf(file: string): string {
  const place = path.resolve(file);
  const own = /^(?:session\.waymark|events)\.jsonl$/.test(path.basename(place)) ? path.dirname(place) : place;
  return path.basename(own).replace(/(?:\.(?:waymark|traj|messages|sharegpt|atif|trajectory))?\.(?:jsonl?|html)$/i, '').replace(/[^\w.-]+/g, '-') || 'session';
}
