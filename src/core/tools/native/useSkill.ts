import * as z from 'zod';
import { commandName } from '../../skills/commandName';
import { FileProblem } from '../../ports/files';
import { defineTool } from '../defineTool';

export const useSkill = defineTool({
  name: 'use_skill',
  description: 'Read a listed skill or, with `file`, one of its files.',
  input: z.object({ name: z.string(), file: z.string().optional() }),
  effect: 'reads',
  summarize: ({ name, file }) => (file === undefined ? `Read the skill ${name}` : `Read ${file} of the skill ${name}`),
  async run({ name, file }, { environment: { skills }, history }) {
    const model = history?.findLast((event) => event.type === 'task_started')?.model.name ?? '';
    const usable = ((await skills?.listUsed(model)) ?? []).filter(
      ({ kind, modelMayUse }) => kind === 'skill' && modelMayUse,
    );
    const wanted = name.trim().replace(/^\//, '').toLowerCase();
    const skill = usable.find((each) => commandName(each) === wanted || each.name.toLowerCase() === wanted);
    if (!skills || !skill)
      throw new Error(
        usable.length === 0
          ? 'There are no skills here.'
          : `There is no skill "${name}". There are: ${usable.map(commandName).join(', ')}.`,
      );
    if (file !== undefined) return { content: await skills.resource(skill, file) };
    const files = await skills.resources(skill);
    const folder = skill.path.slice(0, skill.path.lastIndexOf('/'));
    if (skill.body === '' && files.length === 0) throw new FileProblem('missing', `${skill.path} contains no text.`);
    return {
      content: [
        skill.body,
        ...(files.length > 0
          ? [
              `[Files of this skill, in ${folder}: ${files.join(', ')}. Read them with use_skill and \`file\`, or run them from there.]`,
            ]
          : []),
      ].join('\n\n'),
    };
  },
});
