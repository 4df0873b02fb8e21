import { NIGHT } from '../endurance.js';
import { describeStore } from '../store/conformance.js';
import { openNewStore } from './fresh-store.js';

describeStore('a store on ClickHouse servers', openNewStore, NIGHT);
