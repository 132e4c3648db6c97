export { runSuites } from '../../test/host/index';
