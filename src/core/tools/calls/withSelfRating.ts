import type { Assessment } from '../../../protocol/events/event';
import { worst } from '../../risk/assessment';
import type { Tool } from '../../ports/tool';

const ratings: Readonly<Record<string, Assessment>> = {
  LOW: { level: 'low', reasons: [] },
  MEDIUM: { level: 'medium', reasons: ['Has medium risk according to the model.'] },
  HIGH: { level: 'high', reasons: ['Has high risk according to the model.'] },
};

const ratingFields = {
  security_risk: { type: 'string', enum: Object.keys(ratings), description: 'your own estimate' },
  summary: { type: 'string', description: 'what this call is for, in about ten words' },
};

/**
 * Wraps a tool so that the model also states the purpose of each call and rates its risk. Both arguments are removed
 * before the tool reads its input. The model's rating can only raise the risk; it is ignored for tools that only read.
 */
export function withSelfRating(tool: Tool): Tool {
  const owned = (): Record<string, unknown> => (tool.parameters['properties'] ?? {}) as Record<string, unknown>;
  return {
    name: tool.name,
    description: tool.description,
    effect: tool.effect,
    ...(tool.example && { example: tool.example }),
    ...(tool.from && { from: tool.from }),
    ...(tool.keepsToKey && { keepsToKey: tool.keepsToKey }),
    get parameters() {
      return {
        ...tool.parameters,
        properties: {
          ...owned(),
          ...Object.fromEntries(Object.entries(ratingFields).filter(([name]) => !Object.hasOwn(owned(), name))),
        },
      };
    },
    bind(raw) {
      if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return tool.bind(raw);
      const rated = raw as Record<string, unknown>;
      const taken = Object.keys(ratingFields).filter((name) => !Object.hasOwn(owned(), name));
      const input = Object.fromEntries(Object.entries(rated).filter(([name]) => !taken.includes(name)));
      const bound = tool.bind(input);
      const { security_risk: said, summary: words } = Object.fromEntries(taken.map((name) => [name, rated[name]]));
      const rating = said === undefined || said === null ? undefined : ratings[String(said).toUpperCase()];
      if (said !== undefined && said !== null && !rating)
        throw new Error(`The security_risk of ${tool.name} must be one of ${Object.keys(ratings).join(', ')}.`);
      const purpose = typeof words === 'string' ? words.trim().replace(/\s+/g, ' ').slice(0, 120) : '';
      return {
        ...bound,
        said: { purpose, input },
        risk: rating && tool.effect !== 'reads' ? worst(bound.risk, rating) : bound.risk,
      };
    },
  };
}
