import * as z from 'zod';

const text = z.string().max(32_000);
const values = z.record(z.string().max(300), z.union([text, z.number(), z.boolean()]).transform(String)).default({});
const transport = z.enum(['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse']).optional();

/** Schema of a server in files and in the setting. */
export const NamedServer = z
  .object({
    type: transport.describe(
      'The transport. Default: "stdio" for a command, "http" (streamable HTTP) for an address. "sse" is not supported.',
    ),
    transport: transport.describe('The same as "type".'),
    command: text
      .optional()
      .describe(
        'The program to start: a name on the PATH, or a path relative to the workspace folder. Waymark shows it in full and starts nothing before you approve.',
      ),
    args: z
      .array(text)
      .max(1000)
      .default([])
      .describe(
        'Its arguments. ${env:NAME}, ${NAME:-instead}, ${input:id}, ${workspaceFolder} and ${userHome} are replaced, here and in all other strings.',
      ),
    env: values.describe(
      'Environment variables in addition to the usual ones, such as "KEY": "${env:KEY}". It gets no other variables of this machine.',
    ),
    cwd: text.optional().describe('The folder in which it starts. Default: the workspace folder.'),
    envFile: z
      .unknown()
      .optional()
      .describe(
        'Not read: this file could change what is started after you approved it. List its variables under "env".',
      ),
    url: text.optional().describe('The address of a server over streamable HTTP.'),
    headers: values.describe(
      'Headers of each request, such as "Authorization": "Bearer ${env:TOKEN}". Without that header, a server may ask you to sign in with your browser.',
    ),
    oauth: z
      .object({
        clientId: text.min(1).describe('The id of the client, as registered at the sign-in server.'),
        clientSecret: text.optional().describe('Its secret, such as "${input:secret}". Many clients have none.'),
        callbackPort: z
          .int()
          .min(1)
          .max(65_535)
          .optional()
          .describe('The port of the redirect address http://127.0.0.1:PORT/callback. Default: any free port.'),
      })
      .optional()
      .describe('The client to sign in as, for a sign-in server where applications cannot register themselves.'),
    disabled: z.boolean().default(false).describe('If true, the server is not started.'),
    enabled: z.boolean().default(true).describe('If false, the server is not started.'),
    roots: z
      .boolean()
      .optional()
      .describe(
        'Whether the server receives the workspace folders. Some servers use them instead of the folders in "args". Default: true, or false if "args" names a folder.',
      ),
    timeout: z
      .number()
      .positive()
      .optional()
      .describe(
        'How long a call may take without any progress. Values below 1000 are seconds, others milliseconds. Default: 120 seconds.',
      ),
  })
  .describe('An MCP server: a program with "command", or an address with "url".');

/** Schema of a value that a person is asked for. */
export const NamedInput = z.object({
  id: z.string().describe('Servers refer to it as ${input:id}.'),
  type: z.string().optional().describe('As in VS Code: "promptString" or "pickString".'),
  description: z.string().default('').describe('The question to the user.'),
  password: z.boolean().default(false).describe('Whether the input is hidden while it is typed.'),
  default: z.string().optional().describe('The suggested value, also used if nobody can be asked.'),
  options: z.array(z.string()).optional().describe('The values to choose from.'),
});

/** Schema of a file of servers, from which the published JSON schema is generated. */
export const ServerFile = z
  .looseObject({
    $schema: z.string().optional(),
    servers: z.record(z.string(), NamedServer).optional().describe('The servers by name.'),
    mcpServers: z
      .record(z.string(), NamedServer)
      .optional()
      .describe('The same as "servers", as used by other agents.'),
    inputs: z.array(NamedInput).optional().describe('Values that Waymark asks for when a server starts.'),
  })
  .describe('MCP servers, whose tools the agent can use after a person approved starting them.');
