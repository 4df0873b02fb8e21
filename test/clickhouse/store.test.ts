import { openStore } from '../../src/store/open.js';
import { describeStore } from '../store/conformance.js';
import { newStoreAddress } from './fresh-store.js';

describeStore('a store on three ClickHouse servers', async () => openStore(await newStoreAddress()));
