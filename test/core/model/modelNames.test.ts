import assert from 'node:assert/strict';
import { modelByName } from '../../../src/core/model/modelNames';
import { windowModels } from '../../../src/extension/contributed/windowModels';

const beside = [{ name: 'far', baseUrl: 'https://models.example/v1' }];

/** Reports models of other extensions as the window does. */
const extensionOf = windowModels('extension')!.ownerOf;

describe('a model that a file or a model asks for', () => {
  it('is one that the person set, where that is set, or another of the same server', () => {
    assert.deepEqual(modelByName(' far ', { name: 'near', additional: beside }), beside[0]);
    assert.deepEqual(modelByName('qwen/qwen3:8b', { name: 'near', additional: beside }), {
      name: 'qwen/qwen3:8b',
    });
  });

  it('is never at an address, and it is said which there are', () => {
    for (const text of [
      'http://127.0.0.1:45671/v1 x',
      'https://models.example/v1 far',
      ' HTTPS://models.example/v1',
      'x http://models.example',
    ]) {
      assert.throws(
        () => modelByName(text, { name: 'near', additional: beside }),
        /only the user chooses servers.*name one of these: near, far, or name another/,
        text,
      );
    }
  });

  it('is of no other extension than the one that the person chose', () => {
    assert.deepEqual(modelByName('a.b/large', { name: 'a.b/small', ownerOf: extensionOf }), { name: 'a.b/large' });
    assert.throws(
      () => modelByName('c.d/large', { name: 'a.b/small', ownerOf: extensionOf }),
      /only the user chooses whose models are used/,
    );
  });
});
