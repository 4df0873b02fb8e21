import { describeAccess } from './wire/access.js';
import { describeCounts } from './wire/counts.js';
import { describeEntities } from './wire/entities.js';
import { describePoints } from './wire/points.js';
import { describeRankingAndGeography } from './wire/ranking-and-geography.js';
import { describeSeries } from './wire/series.js';
import { serveForAllTests } from './wire/wire.js';

/** Every endpoint over a real socket, with fetch alone. */
serveForAllTests();
describeEntities();
describeSeries();
describeCounts();
describePoints();
describeRankingAndGeography();
describeAccess();
