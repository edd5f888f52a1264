import {$, call, clock, forever, make, number, say, seconds, span} from './common.js';

const MOST_SHOWN = 20;
const ORDER = ['leased', 'expired', 'free'];

let seen = null;

function ends({expiresIn, expiredFor}) {
  return expiresIn ? `in ${span(seconds(expiresIn))}` : `${span(seconds(expiredFor))} ago`;
}

function row(lease) {
  const cell = (label, ...content) => make('td', {role: 'cell', 'data-label': label}, make('span', {}, ...content));
  return make('tr', {role: 'row'},
    cell('Datacenter / worker', `${lease.datacenterId} / ${lease.workerId}`),
    cell('State', make('span', {class: `tag ${lease.state}`}, lease.state)),
    cell('Owner', lease.owner ?? '–', ...(lease.thisGenerator ? [' ', make('strong', {}, 'this process')] : [])),
    cell('Ends', lease.state === 'free' ? '–' : ends(lease)));
}

function show({namespaces: [namespace], generators}) {
  if (!namespace) {
    const [{strategy}] = Object.values(generators);
    say($('workersText'), `No worker IDs are leased: the strategy is '${strategy}'.`);
    return;
  }
  if (namespace.error) throw new Error(namespace.error);
  const leases = namespace.leases.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  const held = leases.filter(lease => lease.state === 'leased').length;
  const more = leases.length - MOST_SHOWN + namespace.notShown;
  seen = Date.now();
  $('workers').closest('table').hidden = false;
  say($('workersText'), `${number(held)} leased in namespace '${namespace.namespace}', kept by ${namespace.store}`
    + (more > 0 ? `; ${number(more)} more are not shown.` : '.'));
  $('workers').replaceChildren(...leases.slice(0, MOST_SHOWN).map(row));
}

async function look() {
  try {
    // This request contacts the store, which may respond slowly.
    show(await call('/actuator/snowflake', {patience: 20_000}));
    say($('workersProblem'), '');
  } catch (e) {
    if (!seen) say($('workersText'), '');
    say($('workersProblem'), (seen ? `Last update at ${clock(seen)}. ` : '') + `Now: ${e.message}`);
  }
}

export const start = () => forever(5_000, look);
