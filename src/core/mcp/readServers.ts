import { isMap, isNode, isScalar, LineCounter, parseDocument, visit, type Document, type YAMLParseError } from 'yaml';
import * as z from 'zod';
import { hasInvisible } from '../../protocol/plain/invisible';
import { nestsDeeper } from '../text/nesting';
import { misspelledFields, misspelledInWords } from '../text/misspelledFields';
import type { Position } from '../ports/skill';
import type { McpServer, ServerInput, ServerProblem } from './server';
import { NamedInput, NamedServer } from './serverFile';

interface ReadServers {
  readonly servers: readonly McpServer[];
  readonly problems: readonly ServerProblem[];
}

interface Place {
  readonly file: string;
  readonly folder: string;
  readonly own: boolean;
}

/**
 * Maximum nesting of brackets; a list of servers needs five. The parser takes much more than linear time for thousands.
 */
const maxNesting = 32;
const usualTimeoutMs = 120_000;
const maxTimeoutMs = 3_600_000;

const start: Position = { line: 1, column: 1 };

/**
 * Returns the position of the value at a path of keys. If a key is missing, the position of the innermost value that
 * exists.
 */
type Places = (path: readonly PropertyKey[]) => { readonly from: Position; readonly to: Position };

/**
 * Parses the servers of a file. Never throws: invalid parts are reported with line and column, and the rest is used.
 */
export function readServers(source: string, place: Place): ReadServers {
  try {
    return readText(source, place);
  } catch (error) {
    return {
      servers: [],
      problems: [
        {
          severity: 'error',
          message: `This cannot be read: ${(error as Error).message.split('\n')[0]}`,
          file: place.file,
          from: start,
          to: start,
        },
      ],
    };
  }
}

function readText(source: string, place: Place): ReadServers {
  const lines = new LineCounter();
  const plain = withoutComments(source.replace(/^\uFEFF/, ''));
  if (nestsDeeper(plain, maxNesting)) throw new Error(`it nests brackets more than ${maxNesting} levels deep.`);
  const document = parseDocument(plain, {
    lineCounter: lines,
    strict: false,
    prettyErrors: false,
    uniqueKeys: false,
    // An object as a key would be serialized again for each object around it.
    stringKeys: true,
  });
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const { odd, alias } = oddities(document);
  const [broken = alias] = document.errors;
  if (broken)
    return {
      servers: [],
      problems: [
        {
          severity: 'error',
          message: `This is not JSON: ${describeYamlProblem(broken)}`,
          file: place.file,
          from: positionAt(broken.pos[0]),
          to: positionAt(broken.pos[1]),
        },
      ],
    };
  const places: Places = (path) => {
    for (let length = path.length; length > 0; length--) {
      const above = document.getIn(path.slice(0, length - 1), true);
      const pair = isMap(above)
        ? above.items.find(({ key }) => isNode(key) && String(key) === String(path[length - 1]))
        : undefined;
      const ofPair = length < path.length ? pair?.key : (pair?.value ?? pair?.key);
      const node = pair ? ofPair : document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return { from: positionAt(node.range[0]), to: positionAt(node.range[1]) };
    }
    return { from: start, to: start };
  };
  const { servers, problems } = serversIn(document.toJS() as unknown, place, places);
  return {
    servers,
    problems: [
      ...odd.map(({ message, pos }): ServerProblem => ({
        severity: 'warning',
        message,
        file: place.file,
        from: positionAt(pos[0]),
        to: positionAt(pos[1]),
      })),
      ...problems,
    ],
  };
}

interface Oddity {
  readonly message: string;
  readonly pos: readonly [number, number];
}

/**
 * Finds syntax that the parser accepts but JSON does not have, and names that zod leaves out. For duplicate keys the last
 * one wins, as in other JSON parsers.
 */
function oddities(document: Document.Parsed): {
  readonly odd: readonly Oddity[];
  readonly alias: Oddity | undefined;
} {
  const odd: Oddity[] = [];
  let alias: Oddity | undefined;
  visit(document, {
    Map(_key, map) {
      const last = new Map(map.items.map((pair) => [isScalar(pair.key) ? String(pair.key.value) : pair, pair]));
      for (const pair of map.items) {
        if (isScalar(pair.key) && pair.key.value === '__proto__')
          odd.push({ message: '"__proto__" is not read. Choose another name.', pos: posOf(pair.key.range) });
        if (isScalar(pair.key) && last.get(String(pair.key.value)) !== pair)
          odd.push({
            message: `"${String(pair.key.value)}" is defined more than once; the last definition is used.`,
            pos: posOf(pair.key.range),
          });
      }
      map.items = [...last.values()];
    },
    Alias(_key, { source, range }) {
      alias ??= { message: `"*${source}" is not a value. Put it in quotes if it is text.`, pos: posOf(range) };
    },
  });
  return { odd, alias };
}

function describeYamlProblem(problem: YAMLParseError | Oddity): string {
  if ('code' in problem && problem.code === 'NON_STRING_KEY') return 'a key must be a string in quotes.';
  return problem.message.split('\n')[0]!;
}

const posOf = (range: readonly [number, number, number] | null | undefined): [number, number] =>
  range ? [range[0], range[1]] : [0, 0];

/** Reads the servers of the setting, which is already parsed. */
export const serversOfSetting = (value: unknown, folder: string): ReadServers =>
  serversIn({ servers: value ?? {} }, { file: 'settings', folder, own: true }, () => ({ from: start, to: start }));

/** Collects problems of a file, each with its position. */
class ProblemList {
  readonly problems: ServerProblem[] = [];

  constructor(
    private readonly file: string,
    private readonly places: Places,
  ) {}

  /** `path`: the keys that lead to what the problem is about. */
  tell(severity: ServerProblem['severity'], message: string, path: readonly PropertyKey[], server?: string): void {
    const { file } = this;
    this.problems.push({ severity, message, file, ...this.places(path), ...(server !== undefined && { server }) });
  }
}

function serversIn(value: unknown, place: Place, places: Places): ReadServers {
  const list = new ProblemList(place.file, places);
  const { problems } = list;
  if (value === null || value === undefined) return { servers: [], problems };
  const root = z.record(z.string(), z.unknown()).safeParse(value);
  const key = root.success ? ['servers', 'mcpServers'].find((name) => Object.hasOwn(root.data, name)) : undefined;
  if (!root.success || key === undefined) {
    list.tell('error', 'It defines no servers: expected an object with "servers" or "mcpServers".', []);
    return { servers: [], problems };
  }
  const named = z.record(z.string(), z.unknown()).safeParse(root.data[key]);
  if (!named.success) {
    list.tell('error', `"${key}" must be an object whose keys are server names.`, [key]);
    return { servers: [], problems };
  }
  const inputs = inputsIn(root.data['inputs'], (message) => list.tell('warning', message, ['inputs']));
  const servers = Object.entries(named.data).flatMap(([name, raw]) => {
    const { from } = places([key, name]);
    const tell: Tell = (severity, message, path = []) => list.tell(severity, message, [key, name, ...path], name);
    const fields = fieldsOfServer(name, raw, tell);
    return (fields && serverOf(fields, { ...place, name, from, inputs }, tell)) ?? [];
  });
  return { servers, problems };
}

/** Reports a problem of one server. `path`: the keys inside it. */
type Tell = (severity: ServerProblem['severity'], message: string, path?: readonly PropertyKey[]) => void;

type ServerFields = z.output<typeof NamedServer>;

/** Returns the fields of a server; undefined if they are not valid. */
function fieldsOfServer(name: string, raw: unknown, tell: Tell): ServerFields | undefined {
  if (name.trim() === '' || [...name].length > 100 || hasInvisible(name)) {
    tell('error', 'A server name must have 1 to 100 visible characters.');
    return undefined;
  }
  const read = NamedServer.safeParse(raw);
  if (!read.success) {
    for (const { message, path } of read.error.issues.slice(0, 3))
      tell('error', `${path.join('.') || 'The server'}: ${message}.`.replace(/\.\.$/, '.'), path);
    return undefined;
  }
  for (const misspelled of misspelledFields(raw as object, Object.keys(NamedServer.shape)))
    tell('warning', misspelledInWords(misspelled), [misspelled.field]);
  return read.data;
}

/** Returns the server that fields define; undefined if they contradict each other or name none. */
function serverOf(
  fields: ServerFields,
  { name, file, folder, own, from, inputs }: Place & Pick<McpServer, 'name' | 'from' | 'inputs'>,
  tell: Tell,
): McpServer | undefined {
  const { command, args, env, cwd, url, headers, oauth, disabled, enabled, timeout, roots } = fields;
  const common = {
    name,
    file,
    from,
    folder,
    own,
    disabled: disabled || !enabled,
    timeoutMs: timeoutOf(timeout),
    inputs,
    ...(roots !== undefined && { roots }),
  };
  const problem = (message: string, path?: readonly PropertyKey[]): undefined => void tell('error', message, path);
  if ((fields.type ?? fields.transport) === 'sse')
    return problem(
      'The transport "sse" is not supported: streamable HTTP replaced it. Use a streamable HTTP address and the type "http".',
      ['type'],
    );
  if (command !== undefined && url !== undefined)
    return problem('It has both a "command" and a "url". Keep one of them.');
  if (fields.envFile !== undefined)
    tell(
      'warning',
      '"envFile" is not read: this file could change what is started after it was approved. List its variables under "env", such as "KEY": "${env:KEY}".',
      ['envFile'],
    );
  if (command?.trim()) return { ...common, kind: 'stdio', command, args, env, ...(cwd !== undefined && { cwd }) };
  if (url === undefined) return problem('It has neither a "command" nor a "url".');
  if (!isAddress(url)) return problem('The address is not an http or https URL.', ['url']);
  return { ...common, kind: 'http', url, headers, ...(oauth && { oauth }) };
}

function inputsIn(value: unknown, tell: (message: string) => void): ServerInput[] {
  if (value === undefined) return [];
  const read = z.array(NamedInput).safeParse(value);
  if (!read.success) tell('"inputs" must be a list of objects with "id" and "description".');
  return read.success
    ? read.data.map(({ id, description, password, default: fallback, options }) => ({
        id,
        description,
        secret: password,
        ...(fallback !== undefined && { fallback }),
        ...(options && { options }),
      }))
    : [];
}

/**
 * Other programs use seconds or milliseconds. A value is read as the plausible unit, because nobody wants a timeout of
 * a thousand seconds or a tenth of one.
 */
const timeoutOf = (written: number | undefined): number =>
  written === undefined
    ? usualTimeoutMs
    : Math.min(maxTimeoutMs, Math.max(1000, written < 1000 ? written * 1000 : written));

/** A variable may replace any part of the URL. */
const isAddress = (url: string): boolean => /^https?:\/\/[^\s/]/i.test(url) || /^\$\{[^}]+\}/.test(url);

/** Replaces comments and tabs with spaces, for JSON with comments. */
const withoutComments = (source: string): string =>
  source.replace(/"(?:\\.|[^"\\\n])*(?:"|\\?$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$(?![\s\S]))|\t/gm, (part) =>
    part.startsWith('"') ? part : part.replace(/[^\n]/g, ' '),
  );
