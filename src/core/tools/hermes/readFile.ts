import * as z from 'zod';
import type { EventOf } from '../../../protocol/events/event';
import { viewOf } from '../../model/messages';
import type { History } from '../../log/projection';
import { withNameAndSchema } from '../withNameAndSchema';
import { readFile as readLines } from '../native/readFile';
import type { Tool } from '../../ports/tool';

const defaultLimit = 500;

const everyTime = withNameAndSchema(readLines, {
  name: 'read_file',
  description: 'Read a text file with line numbers.',
  input: z.object({
    path: z.string(),
    offset: z.int().min(1).optional().describe('first line, default 1'),
    limit: z.int().min(1).max(2000).optional().describe(`lines, default ${defaultLimit}`),
  }),
  translate: ({ path, offset = 1, limit = defaultLimit }) => ({ path, from: offset, to: offset + limit - 1 }),
});

/** Does not repeat lines that are still in the model's context. */
export const readFileByOffset: Tool = {
  name: everyTime.name,
  description: everyTime.description,
  effect: everyTime.effect,
  get parameters() {
    return everyTime.parameters;
  },
  bind(input) {
    const bound = everyTime.bind(input);
    return {
      ...bound,
      async run(context) {
        const result = await bound.run(context);
        const { details } = result;
        if (details?.kind !== 'read' || !isShown(details, context.history ?? [])) return result;
        return {
          details,
          content: `Lines ${details.fromLine}-${details.toLine} of ${details.path} have not changed since they were read; see the earlier result.`,
        };
      },
    };
  },
};

type Read = Extract<NonNullable<EventOf<'observation'>['details']>, { kind: 'read' }>;

function isShown({ path, version, fromLine, toLine }: Read, history: History): boolean {
  return viewOf(history).some(
    (event) =>
      event.type === 'observation' &&
      event.details?.kind === 'read' &&
      event.details.path === path &&
      event.details.version === version &&
      event.details.fromLine === fromLine &&
      event.details.toLine === toLine,
  );
}
