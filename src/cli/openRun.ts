import fs from 'node:fs';
import path from 'node:path';
import { learnDotenv } from '../adapters/dotenvSecrets';
import { openTrajectory, type OpenedTrajectory } from '../adapters/openTrajectory';
import { secrets } from '../core/security/secrets';
import { secretsOfEnvironment } from '../core/security/secretValues';
import { storedSessions } from './workplace';

/** A run that a person named: a file or folder of any format, or the id of a session. What is secret where it ran is known from then on. */
export async function openRun(named: string, run = 0): Promise<OpenedTrajectory & { readonly id: string }> {
  const sessions = storedSessions();
  const isId = /^[\w.-]+$/.test(named) && !named.startsWith('.') && !fs.existsSync(named);
  const log = isId ? sessions.logOf(named) : named;
  if (isId && !fs.existsSync(log)) throw new Error(`There is no file and no session named ${named}. Name a trajectory, or the id of a session.`);
  const opened = await openTrajectory(log, run);
  const cwd = opened.events.find(event => event.type === 'task_started')?.cwd;
  secrets.learn(...secretsOfEnvironment(process.env).filter(value => !fs.existsSync(value)));
  learnDotenv([process.cwd(), ...(cwd && path.isAbsolute(cwd) ? [cwd] : [])]);
  return { ...opened, id: isId ? named : idOf(log) };
}

/** A file's name without the ends that formats give it. */
const idOf = (file: string): string => path.basename(path.resolve(file)).replace(/^events\b.*/, path.basename(path.dirname(path.resolve(file)))).replace(/(?:\.(?:waymark|traj|messages|sharegpt|atif|trajectory))?\.(?:jsonl?|html)$/i, '').replace(/[^\w.-]+/g, '-') || 'session';
