import { readErrorBody } from '../../../src/adapters/models/endpoint/errorBody';
import { isContextOverflow, contextWindowInRefusal } from '../../../src/adapters/models/endpoint/contextOverflow';
import { retryAfterMs } from '../../../src/adapters/models/endpoint/problems';
import { thinkTags, splitAtClosing } from '../../../src/adapters/models/chat/reasoningParts';
import { cleanText, LiveText } from '../../../src/adapters/terminal/output/cleanText';
import { harmlessOnly } from '../../../src/adapters/terminal/output/mirror';
import { toolsFor } from '../../../src/core/tools/toolsFor';
import { missedInput, programNeedingTerminal } from '../../../src/adapters/terminal/needsTerminal';
import { looksLikePrompt } from '../../../src/adapters/terminal/quietWatch';
import { escapeForTerminal } from '../../../src/cli/output/escapeForTerminal';
import { withoutPreservedParts } from '../../../src/core/condense/condensationAttempt';
import { mentionsIn, placesIn, symbolIn } from '../../../src/core/context/mentions';
import { plainText } from '../../../src/core/context/plainText';
import { verdictOf } from '../../../src/core/hooks/outcome';
import { resultText } from '../../../src/core/mcp/resultText';
import { leastSimilarity } from '../../../src/core/model/sampling/verifiers/similarityGate';
import { maskShapes, withoutSecrets } from '../../../src/core/secrets/secretShapes';
import { Secrets } from '../../../src/core/secrets/secrets';
import { linesOfResult } from '../../../src/core/security/taint/sources';
import { spotlit } from '../../../src/core/text/spotlight';
import { meterOf } from '../../../src/core/security/taint/taint';
import { tokensIn } from '../../../src/core/security/taint/tokens';
import { parseSkillCall, withInputs } from '../../../src/core/skills/commandInputs';
import { containsWord } from '../../../src/core/skills/triggers';
import { render } from '../../../src/core/text/templates/render';
import { injectionIn } from '../../../src/core/tools/memory/injection';
import { splitEntries } from '../../../src/core/tools/memory/memory';
import { nearestTool } from '../../../src/core/tools/calls/nearestTool';
import { likelyName } from '../../../src/core/tools/calls/inputFaults';
import { shownName } from '../../../src/core/text/shownName';
import { withPlaceholders } from '../../../src/core/trajectory/replay/compare';
import type { Event } from '../../../src/protocol/events/event';
import { draw } from '../../../src/protocol/plain/diagrams/draw';
import type { Reader } from './readers';
import { agentResponse } from '../../support/newEvents';

const knownTools: readonly string[] = toolsFor({ toolsets: ['all'] }).map(({ name }) => name);
const diagrams = ['flowchart TD', 'sequenceDiagram', 'stateDiagram-v2', 'classDiagram', 'erDiagram'];

/** Learned secrets: values of the shapes that have several spellings. */
function learned(): Secrets {
  const secrets = new Secrets();
  secrets.learn(
    'a'.repeat(40),
    'aaaaaaaab',
    'ab'.repeat(100),
    '00000000a',
    '((((((((((',
    '        "        "',
    'é'.repeat(20),
  );
  return secrets;
}

function streamed(text: string): string {
  const stream = learned().stream();
  const piece = 100;
  let shown = '';
  for (let at = 0; at < text.length; at += piece) shown += stream.push(text.slice(at, at + piece));
  return shown + stream.end();
}

/** A log in which every text is this text. */
function logOf(text: string): Event[] {
  const risk = { level: 'low' as const, reasons: [] };
  const said = [
    {
      type: 'user_message',
      text,
      context: [{ kind: 'file', label: 'a', text, tokens: 1, source: 'a', trust: 'others' }],
    },
    agentResponse(text, {
      readUpTo: 0,
      actions: [{ id: 'call', tool: 'read_file', input: { path: text }, summary: '', group: 0, risk }],
      model: 'model',
      durationMs: 0,
      firstTokenMs: null,
    }),
    { type: 'observation', actionId: 'call', outcome: 'ok', content: text, durationMs: 0 },
    { type: 'condensation', forgotten: [0], summary: text },
  ];
  return said.map((event, seq) => ({ ...event, seq, at: 0 })) as unknown as Event[];
}

const thinking = (text: string): void => {
  const tags = thinkTags();
  for (let at = 0; at < text.length; at += 100) tags.add(text.slice(at, at + 100));
};

/** Everything that searches plain text: masks, taint, mentions, templates, program output. */
export function textReaders(): Reader[] {
  const secrets = learned();
  return [
    { name: 'secrets by their shape', read: maskShapes },
    { name: 'secrets of other sessions', read: withoutSecrets },
    { name: 'secrets that are known', read: secrets.mask },
    { name: 'secrets at cut ends', read: (text) => secrets.maskCutEnds(text, { start: true, end: true }) },
    { name: 'secrets in a stream', read: streamed },
    { name: 'words of a text', read: (text) => [...tokensIn(text)] },
    { name: 'taint of a log', read: (text) => meterOf(logOf(text)) },
    {
      name: 'lines of a search',
      read: (text) => [
        ...linesOfResult(
          { ...logOf(text)[2], details: { kind: 'search', matches: 0, truncated: false } } as never,
          undefined,
        ),
      ],
    },
    { name: 'spotlight', read: (text) => spotlit(text, ['a'], () => 'mark') },
    {
      name: 'mentions',
      read: (text) => mentionsIn(text).map(({ argument }) => [placesIn(argument), symbolIn(argument)]),
    },
    { name: 'a web page', read: plainText },
    { name: 'a template', read: (text) => render(text, { a: 'a' }, 'test') },
    {
      name: 'a value in a template',
      read: (text) => render('{{ a | trim | upper | replace("a", "b") | wordcount }}', { a: text }, 'test'),
    },
    { name: 'a message that calls a command', read: (text) => parseSkillCall(`/a ${text}`, []) },
    { name: 'inputs of a command', read: (text) => withInputs(text, { a: 'a' }) },
    { name: 'a word in a message', read: (text) => containsWord(text, 'ab') },
    {
      name: 'what a hook prints',
      read: (text) => verdictOf({ exit: 0, stdout: text, stderr: text, cut: false, durationMs: 0 }),
    },
    {
      name: 'what an MCP server answers',
      read: (text) => resultText({ content: [{ type: 'text', text }], structuredContent: { a: text } }),
    },
    { name: 'what a program prints', read: cleanText },
    { name: 'what a program prints, as it comes', read: (text) => new LiveText().push(Buffer.from(text)) },
    { name: 'what a program draws', read: harmlessOnly },
    { name: 'a prompt', read: looksLikePrompt },
    { name: 'a command that asked for input', read: (text) => missedInput(text, text, { failed: true }) },
    { name: 'a command that needs a terminal', read: programNeedingTerminal },
    { name: 'a line for a terminal', read: escapeForTerminal },
    { name: 'an error of a server', read: readErrorBody },
    { name: 'an overflow', read: isContextOverflow },
    { name: 'a context window in an error', read: contextWindowInRefusal },
    { name: 'a time to wait', read: (text) => retryAfterMs({}, text, 0) },
    { name: 'thoughts', read: thinking },
    { name: 'thoughts at the end', read: splitAtClosing },
    { name: 'a summary', read: withoutPreservedParts },
    { name: 'candidates', read: (text) => leastSimilarity([text, `${text}a`, 'a']) },
    { name: 'notes', read: (text) => splitEntries(text).map(injectionIn) },
    { name: 'the name of a tool', read: (text) => nearestTool(text, knownTools) },
    { name: 'the name of an argument', read: (text) => likelyName(text, knownTools) },
    { name: 'the name of a file', read: shownName },
    ...diagrams.map((begins) => ({
      name: `a diagram of ${begins}`,
      most: 20_000,
      read: (text: string) => draw(`${begins}\n${text}`, { size: 12, width: (words) => words.length * 6 }),
    })),
    { name: 'a result that is compared', read: (text) => withPlaceholders(text, ['/a', '/a/a']) },
  ];
}
