import * as live from './live.js';
import * as look from './look.js';
import * as orders from './orders.js';
import * as workers from './workers.js';

look.start();
live.start();
workers.start();
orders.start();
