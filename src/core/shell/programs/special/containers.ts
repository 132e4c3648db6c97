import { optionTable, readArguments } from '../../calls/options';
import { doubt, refuse } from '../../effects/scope';
import type { Judge } from '../../calls/manual';

const startsContainers = /^(up|start|restart|build|create|watch|run|exec|scale)$/;

/** `docker compose up`: what the compose files say of the containers is read before they are started. */
export const judgeCompose: Judge = ({ words, scope, whole, manual }) => {
  const { options, rest } = readArguments(words, optionTable(manual.options ?? []), 'letters', true);
  const { lookUp } = scope.context;
  if (!lookUp || !startsContainers.test(rest[0]?.text ?? '')) return undefined;
  const files = options
    .filter(({ name, value }) => /^(-f|--f)/.test(name) && value !== undefined)
    .map(({ value }) => value!);
  const written = [...scope.written].find(
    (path) => /\.(ya?ml|env)$/i.test(path) || files.some(({ text }) => text === path),
  );
  if (written !== undefined) refuse(scope, whole, `Starts containers after the same line changed ${written}.`);
  if (scope.cwd === undefined || files.some(({ kind }) => kind !== 'literal')) {
    doubt(scope, whole, 'Which compose file it starts is only known when it runs.');
    return undefined;
  }
  // Without a name Docker looks for one; an empty name stands for that.
  for (const name of files.length > 0 ? files.map(({ text }) => text) : ['']) {
    const found = lookUp('compose', name, scope.cwd);
    if (!found)
      doubt(
        scope,
        whole,
        name === ''
          ? 'Starts containers, but no compose file could be read.'
          : `Starts containers from ${name}, which could not be read.`,
      );
    for (const alarm of found?.alarms ?? []) refuse(scope, whole, alarm);
  }
  return undefined;
};
