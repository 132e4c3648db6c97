import { parseDocument } from 'yaml';
import * as z from 'zod';
import { folderAfterCd, resolvePlace, type WorkspaceFolders } from '../../shell/syntax/place';
import { literal } from '../../shell/syntax/value';
import { anyOf, sequence } from '../../text/alternatives';
import { nestsDeeper } from '../../text/nesting';
import { folderOfScript } from './pins';
import { truncate } from '../../../protocol/plain/truncate';

/** What a compose file does beyond its containers, and which other compose files it includes. */
interface ComposeFindings {
  readonly alarms: readonly string[];
  readonly includes: readonly string[];
}

const fields = z.record(z.string(), z.unknown());
const compose = z.object({
  services: z.record(z.string(), fields.nullable()).nullish(),
  volumes: fields.nullish(),
  secrets: fields.nullish(),
  configs: fields.nullish(),
  include: z.unknown().optional(),
});

/** Sockets that let a process start containers with all privileges. */
const controlSocket = /(docker|podman|containerd|crio|buildkitd)\.sock$|\/var\/run\/?$|^\/run\/?$/;
/** If mounted read-only, these reveal only the time zone. */
const harmlessMount = /^\/(etc\/(localtime|timezone)|usr\/share\/zoneinfo(\/.*)?)$/;
/** Capabilities that Docker grants every container, and those that only affect the container itself. */
const harmlessRight = sequence(
  [
    /^(CAP_)?/,
    anyOf([
      'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE NET_RAW SETFCAP SETGID',
      'SETPCAP SETUID SYS_CHROOT IPC_LOCK SYS_NICE SYS_RESOURCE',
    ]),
    /$/,
  ],
  'i',
);
const sharedWithHost = {
  network_mode: 'network',
  net: 'network',
  pid: 'list of processes',
  ipc: 'memory',
  uts: 'name',
  userns_mode: 'accounts',
  cgroup: 'process groups',
} as const;
const unknownPath = /\$/;

interface File extends WorkspaceFolders {
  /** Relative to the workspace folder. */
  readonly path: string;
  /** Values for `${NAME}` in the file. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Maximum nesting depth. */
const maxNesting = 50;

/**
 * Parses YAML. Throws if the text is invalid or nests too deeply. Maps as keys are rejected: converting them to values can expand without
 * limit.
 */
function yamlIn(text: string): unknown {
  if (nestsDeeper(text, maxNesting)) throw new Error('It is nested too deeply.');
  const document = parseDocument(text, { merge: true, uniqueKeys: false, stringKeys: true, logLevel: 'silent' });
  const [problem] = document.errors;
  if (problem) throw problem;
  return document.toJS();
}

/** Finds out what the containers of a compose file could do to this machine. An unreadable file is an alarm itself. */
export function composeFindings(text: string, file: File): ComposeFindings {
  let content: z.infer<typeof compose>;
  try {
    content = compose.parse(yamlIn(text) ?? {});
  } catch {
    return { alarms: [`Starts containers from ${file.path}, which could not be read.`], includes: [] };
  }
  const alarms: string[] = [];
  const includes: string[] = [];
  const include = (wanted: unknown): void => void includes.push(...pathsToInclude(wanted, file, alarms));
  for (const [name, service] of Object.entries(content.services ?? {})) {
    if (service === null) continue;
    alarms.push(...serviceAlarms(service, `${name} in ${file.path}`, file));
    if (isFields(service['extends'])) include(service['extends']['file']);
  }
  for (const volume of Object.values(content.volumes ?? {})) {
    const options = isFields(volume) && isFields(volume['driver_opts']) ? volume['driver_opts'] : {};
    if (typeof options['device'] === 'string')
      alarms.push(...mountAlarms(options['device'], { readOnly: false }, file.path, file));
  }
  for (const source of [...Object.values(content.secrets ?? {}), ...Object.values(content.configs ?? {})]) {
    if (isFields(source) && typeof source['file'] === 'string')
      alarms.push(...mountAlarms(source['file'], { readOnly: false }, file.path, file));
  }
  for (const one of listOf(content.include)) include(isFields(one) ? one['path'] : one);
  return { alarms: [...new Set(alarms)], includes };
}

function serviceAlarms(service: Readonly<Record<string, unknown>>, where: string, file: File): string[] {
  const found: string[] = [];
  if (isTrue(service['privileged']) || hooksOf(service).some((hook) => isTrue(hook['privileged'])))
    found.push(`Starts a privileged container, which has every right on this machine (${where}).`);
  if (isTrue(service['use_api_socket']))
    found.push(`Gives a container control of Docker, and so of this machine (${where}).`);
  for (const mount of listOf(service['volumes'])) {
    const { source, readOnly } = mountOf(mount);
    if (source !== undefined) found.push(...mountAlarms(source, { readOnly }, where, file));
  }
  for (const [field, what] of Object.entries(sharedWithHost)) {
    if (service[field] === 'host') found.push(`Shares the ${what} of this machine with a container (${where}).`);
  }
  const rights = listOf(service['cap_add'])
    .map(String)
    .filter((right) => !harmlessRight.test(right));
  if (rights.length > 0)
    found.push(`Gives a container rights on this machine: ${rights.slice(0, 5).join(', ')} (${where}).`);
  if (listOf(service['devices']).length > 0 || listOf(service['device_cgroup_rules']).length > 0)
    found.push(`Gives a container devices of this machine (${where}).`);
  if (
    listOf(service['security_opt']).some((option) =>
      /unconfined|disable|no-new-privileges[:=]false/i.test(String(option)),
    )
  )
    found.push(`Turns off the confinement of a container (${where}).`);
  if (isFields(service['provider']))
    found.push(`Starts a program of this machine, ${String(service['provider']['type']).slice(0, 60)} (${where}).`);
  const build = service['build'];
  if (isFields(build)) {
    if (isTrue(build['privileged']) || listOf(build['entitlements']).length > 0)
      found.push(`Builds an image with rights on this machine (${where}).`);
    if (build['ssh'] !== undefined) found.push(`Lets a build use the SSH keys of this account (${where}).`);
  }
  const context = isFields(build) ? build['context'] : build;
  if (typeof context === 'string' && !/^[a-z][a-z0-9+.-]*:\/\//i.test(context) && isOutside(context, file))
    found.push(`Builds an image from ${shortText(context)}, outside the workspace (${where}).`);
  return found;
}

function mountAlarms(
  source: string,
  { readOnly }: { readonly readOnly: boolean },
  where: string,
  file: File,
): string[] {
  const path = interpolate(source, file);
  if (controlSocket.test(path))
    return [`Gives a container control of Docker, and so of this machine: it mounts ${shortText(path)} (${where}).`];
  if (readOnly && harmlessMount.test(path)) return [];
  if (unknownPath.test(path))
    return [`Mounts a folder that is only known when it runs, ${shortText(source)} (${where}).`];
  return isOutside(path, file) ? [`Mounts ${shortText(path)} of this machine in a container (${where}).`] : [];
}

/** Parses a mount in short or long syntax. A plain name is a Docker volume and has no source. */
function mountOf(mount: unknown): { readonly source?: string; readonly readOnly: boolean } {
  if (isFields(mount)) {
    const { source } = mount;
    const isFolder = mount['type'] === 'bind' || (typeof source === 'string' && isPath(source));
    return { ...(isFolder && typeof source === 'string' && { source }), readOnly: isTrue(mount['read_only']) };
  }
  if (typeof mount !== 'string') return { readOnly: false };
  // `${DATA:-./data}:/data:ro`: a colon in braces is part of the name.
  const [source = '', ...rest] = mountParts(mount);
  if (rest.length === 0 || !isPath(source)) return { readOnly: false };
  return { source, readOnly: rest.at(-1)!.split(',').includes('ro') };
}

/** Splits a mount at colons, except for those in braces and after a Windows drive letter. */
function mountParts(mount: string): string[] {
  const parts: string[] = [];
  let end = mount.length;
  let isInBraces = false;
  for (let index = mount.length - 1; index >= 0; index--) {
    const sign = mount[index];
    if (sign === '}') isInBraces = true;
    else if (sign === '{') isInBraces = false;
    if (sign !== ':' || isInBraces || mount[index + 1] === '\\') continue;
    parts.push(mount.slice(index + 1, end));
    end = index;
  }
  parts.push(mount.slice(0, end));
  return parts.reverse();
}

const isPath = (text: string): boolean => /^[.~/$\\]|^[a-z]:[\\/]|\//i.test(text);

function isOutside(path: string, file: File): boolean {
  return resolvePlace(literal(path), folderOfScript(file.path), file).where !== 'inside';
}

/** Replaces `${NAME}`, `${NAME:-default}` and `$NAME` if their values are known. */
function interpolate(text: string, { variables }: File): string {
  const known: Readonly<Record<string, string>> = { ...variables, PWD: '.' };
  const valueOf = (name: string): string | undefined => (Object.hasOwn(known, name) ? known[name] : undefined);
  return text
    .replace(
      /\$\{(\w+)(?::?-([^{}]*))?\}/g,
      (whole, name: string, fallback: string | undefined) => valueOf(name) ?? fallback ?? whole,
    )
    .replace(/\$(\w+)/g, (whole, name: string) => valueOf(name) ?? whole);
}

function pathsToInclude(wanted: unknown, file: File, alarms: string[]): string[] {
  const paths = listOf(wanted)
    .filter((path): path is string => typeof path === 'string')
    .map((path) => interpolate(path, file));
  const remote = paths.filter((path) => /^(oci|git|https?|ssh):|^git@|\.git(#|$)/i.test(path));
  for (const path of remote) alarms.push(`Loads a compose file from ${shortText(path)}.`);
  return paths
    .filter((path) => !remote.includes(path))
    .map((path) => (/^[~/]/.test(path) ? path : folderAfterCd(folderOfScript(file.path), path)));
}

const hooksOf = (service: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>[] =>
  [service['post_start'], service['pre_stop']].flatMap(listOf).filter(isFields);
const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
};
/** A variable counts as true, because it may enable the option. */
const isTrue = (value: unknown): boolean =>
  value === true || (typeof value === 'string' && /^(true|yes|on|1)$|\$/i.test(value));
const shortText = (text: string): string => truncate(text, 80);
