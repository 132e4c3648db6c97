import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { toolsFor, toolsetNames, type ToolChoice } from '../../../src/core/tools/toolsFor';
import { fetchUrl } from '../../../src/core/tools/native/fetchUrl';
import { knownToolsets, toolsets } from '../../../src/core/tools/toolsets';

/** The window has all of them, the command line those that need no editor. */
const inDefault = [...toolsets.default, ...toolsets.notebook, ...toolsets.editor, fetchUrl];

const names = (choice: ToolChoice): string[] => toolsFor(choice).map(({ name }) => name);

describe('the toolsets', () => {
  it('have names of their own and a description, and include only sets that there are', () => {
    const known = knownToolsets.map(({ name }) => name);
    assert.equal(new Set(known).size, known.length);
    assert.deepEqual(
      knownToolsets.filter(({ description }) => !description.endsWith('.')),
      [],
    );
    assert.deepEqual(
      knownToolsets.flatMap(({ includes = [] }) => includes).filter((name) => !known.includes(name)),
      [],
    );
  });

  it('disable only tools that there are', () => {
    const tools = new Set(names({ toolsets: ['all'] }));
    assert.deepEqual(
      knownToolsets.flatMap(({ alsoDisables = [] }) => alsoDisables).filter((name) => !tools.has(name)),
      [],
    );
  });

  it('hold no tool name twice within one set', () => {
    for (const { name } of knownToolsets) {
      const found = names({ toolsets: [name] });
      assert.equal(new Set(found).size, found.length, name);
    }
  });

  it('are chosen by name, in order', () => {
    assert.deepEqual(toolsFor({ toolsets: ['default'] }), inDefault);
    assert.deepEqual(toolsFor({ toolsets: ['readOnly'] }), toolsets.readOnly);
    assert.deepEqual(names({ toolsets: ['mini'] }), ['bash']);
    assert.deepEqual(names({ toolsets: [] }), []);
  });

  it('are composed of others: debugging is terminal and file, safe has nothing that runs', () => {
    assert.deepEqual(names({ toolsets: ['debugging'] }), names({ toolsets: ['terminal', 'file'] }));
    assert.deepEqual(
      toolsFor({ toolsets: ['safe'] }).filter(({ effect }) => effect === 'executes'),
      [],
    );
    assert.ok(names({ toolsets: ['safe'] }).includes('todo'));
  });

  it('are all named in the words of the setting', () => {
    const words = JSON.parse(fs.readFileSync(path.join(process.env.REPOSITORY!, 'package.nls.json'), 'utf8')) as Record<
      string,
      string
    >;
    assert.deepEqual(
      [...words['setting.toolsets']!.matchAll(/`(\w+)`/g)].map(([, name]) => name),
      toolsetNames(),
    );
  });

  it('hold every tool under all and *, the everyday ones where names are shared', () => {
    assert.deepEqual(names({ toolsets: ['*'] }), names({ toolsets: ['all'] }));
    assert.deepEqual(toolsFor({ toolsets: ['all'] }).slice(0, toolsets.default.length), toolsets.default);
    const every = new Set(knownToolsets.flatMap(({ tools }) => tools.map(({ name }) => name)));
    assert.deepEqual(new Set(names({ toolsets: ['all'] })), every);
  });

  it('give each name once', () => {
    const found = names({ toolsets: ['default', 'readOnly', 'todo', 'default'] });
    assert.equal(new Set(found).size, found.length);
  });
});

describe('disabling', () => {
  it('takes away a set, a tool, or what a composite stands for', () => {
    assert.deepEqual(names({ toolsets: ['mini'], disabled: ['mini'] }), []);
    assert.ok(!names({ toolsets: ['default'], disabled: ['think'] }).includes('think'));
    assert.deepEqual(
      names({ toolsets: ['terminal', 'file', 'clarify'], disabled: ['debugging'] }),
      names({ toolsets: ['clarify'] }),
    );
    assert.deepEqual(names({ toolsets: ['all'], disabled: ['*'] }), []);
  });

  it('of the terminal leaves no tool that runs commands, whatever its name', () => {
    for (const { name } of knownToolsets)
      assert.deepEqual(
        toolsFor({ toolsets: [name], disabled: ['terminal'] }).filter(({ effect }) => effect === 'executes'),
        [],
        name,
      );
  });

  it('of files leaves no tool that writes them; notes are no files of the workspace', () => {
    for (const { name } of knownToolsets)
      assert.deepEqual(
        toolsFor({ toolsets: [name], disabled: ['file'] }).filter(
          ({ name: tool, effect }) => effect === 'writes' && tool !== 'memory',
        ),
        [],
        name,
      );
  });
});

describe('custom toolsets', () => {
  it('name tools, sets and other custom sets', () => {
    const custom = { mine: ['bash', 'look'], look: ['read_file', 'search_text'] };
    assert.deepEqual(names({ toolsets: ['mine'], custom }), ['bash', 'read_file', 'search_text']);
    assert.deepEqual(names({ toolsets: ['mine'], disabled: ['look'], custom }), ['bash']);
    assert.deepEqual(
      names({ toolsets: ['shell'], custom: { shell: ['debugging'] } }),
      names({ toolsets: ['debugging'] }),
    );
    assert.ok(toolsetNames(custom).includes('look'));
  });

  it('may name each other in a circle, and have the name of a tool', () => {
    const custom = { a: ['b', 'bash'], b: ['a', 'think'], finish: ['finish', 'a'] };
    assert.deepEqual(names({ toolsets: ['a'], custom }).sort(), ['bash', 'think']);
    assert.deepEqual(names({ toolsets: ['finish'], custom }).sort(), ['bash', 'finish', 'think']);
    assert.deepEqual(
      names({ toolsets: ['default', 'mini'], disabled: ['a'], custom }),
      inDefault.map(({ name }) => name).filter((name) => name !== 'think'),
    );
  });

  it('cannot take the name of a built-in set', () => {
    for (const name of ['default', 'all', '*'])
      assert.throws(
        () => toolsFor({ toolsets: ['mini'], custom: { [name]: ['bash'] } }),
        /has the name of a built-in one/,
      );
  });
});

describe('an unknown name', () => {
  it('is named, with what there is', () => {
    assert.throws(
      () => toolsFor({ toolsets: ['default', 'browser'], disabled: ['vision'] }),
      /named "browser", "vision"\. Instead of vision: .* Toolsets: default, readOnly, mini.*, all\. Tools: .*run_command/,
    );
  });

  it('is found in custom sets too, even in one that was not chosen', () => {
    assert.throws(() => toolsFor({ toolsets: ['mini'], custom: { mine: ['browser'] } }), /"browser".*mine/);
  });

  it('is never a property that all objects have', () => {
    for (const name of ['constructor', 'toString', '__proto__'])
      assert.throws(() => toolsFor({ toolsets: [name] }), /no toolset or tool/);
  });
});
