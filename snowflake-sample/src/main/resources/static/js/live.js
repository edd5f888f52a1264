import {$, NoResponse, attempt, call, clock, forever, make, number, say, seconds, span, terms} from './common.js';

const SHOWN_RATES = 60;

const rates = [];
let counted = null;
let unreachableSince = null;

const because = (text, cause) => cause ? `${text} Cause: ${cause}` : text;

/** Returns the headline for a generator. It changes only with the state, because screen readers announce each change. */
function judge({lease, issuesIds, reason, workerId}) {
  if (!issuesIds) {
    if (!lease || seconds(lease.remaining) > 0) return {kind: 'bad', word: 'NO IDS', text: `NO IDS: ${reason}`};
    const word = lease.state.toUpperCase();
    return {
      kind: 'bad',
      word,
      text: `${word}: no IDs`,
      reason: because('ID generation resumes by itself once the store is repaired. Do not restart the shop.', lease.reason)};
  }
  if (!lease) return {kind: 'good', word: 'FIXED', text: `FIXED, worker ID ${workerId} never expires`};
  if (lease.state === 'expiring') {
    return {
      kind: 'warn',
      word: 'EXPIRING',
      text: `EXPIRING, IDs available until ${clock(lease.idsEndBefore)}`,
      reason: because('Renewal is being retried, before and after that time.', lease.reason)};
  }
  return {kind: 'good', word: 'HELD', text: 'HELD, generating IDs', reason: 'The lease is renewed on time.'};
}

function showState({kind, word, text, reason = ''}) {
  $('state').className = `state ${kind}`;
  $('pill').className = `pill ${kind}`;
  say($('pill'), word);
  say($('headline'), text);
  say($('reason'), reason);
  document.title = kind === 'good' ? 'Snowflake shop' : `${word} – Snowflake shop`;
}

function showLease(lease) {
  $('left').hidden = !lease;
  if (!lease) return;
  const left = seconds(lease.remaining);
  const whole = (Date.parse(lease.idsEndBefore) - Date.parse(lease.renewed)) / 1000;
  $('left').setAttribute('aria-valuemax', Math.round(whole));
  $('left').setAttribute('aria-valuenow', Math.round(left));
  $('left').setAttribute('aria-valuetext', `${Math.round(left)} s`);
  $('left').firstElementChild.style.setProperty('inline-size', `${Math.min(100, 100 * left / whole)}%`);
}

function showRate(statistics) {
  const now = {issued: statistics.issued, at: performance.now()};
  // The count starts at 0 again after a restart of the shop.
  if (counted && now.issued >= counted.issued) {
    rates.push((now.issued - counted.issued) * 1000 / (now.at - counted.at));
    if (rates.length > SHOWN_RATES) rates.shift();
    $('rate').textContent = number(Math.round(rates.at(-1)));
  }
  counted = now;
  const highest = Math.max(1, ...rates);
  const points = rates.map((rate, i) => `${SHOWN_RATES - rates.length + i},${19 - 18 * rate / highest}`);
  $('curve').firstElementChild.setAttribute('points', points.join(' '));
}

const skew = ahead => `${number(Math.round(Math.abs(ahead) * 1000))} ms ${ahead < 0 ? 'behind' : 'ahead'}`;

function showFacts(generator, statistics) {
  const refused = Object.values(statistics.refusals).reduce((sum, count) => sum + count, 0);
  terms($('facts'), [
    ['Worker ID', `${generator.workerId} of datacenter ${generator.datacenterId}`],
    ['Worker ID source', generator.origin],
    ...(generator.lease ? [
      ['IDs available until', `${clock(generator.lease.idsEndBefore)}, ${span(seconds(generator.lease.remaining))} left`],
      ['Last renewed', clock(generator.lease.renewed)],
      ['Store clock', skew(seconds(generator.lease.clockSkew))]] : []),
    ['IDs generated', number(statistics.issued)],
    ['Calls without an ID', number(refused)],
    ['Layout ends', generator.layoutEnds.slice(0, 10)]]);
}

async function look() {
  try {
    const patience = 3_000;
    // Neither request contacts the store, so both are fast during an outage.
    const [health, statistics] = await Promise.all([
      call('/actuator/health/snowflake', {also: [503], patience}), call('/ids/statistics', {patience})]);
    const [generator] = Object.values(health.details);
    unreachableSince = null;
    $('live').classList.remove('stale');
    showState(judge(generator));
    showLease(generator.lease);
    showRate(statistics);
    showFacts(generator, statistics);
  } catch (e) {
    unreachableSince ??= Date.now();
    counted = null;
    $('rate').textContent = '–';
    $('left').hidden = true;
    $('live').classList.add('stale');
    const word = e instanceof NoResponse ? 'NO RESPONSE' : 'UNKNOWN';
    showState({
      kind: 'unreachable',
      word,
      text: `${word} since ${clock(unreachableSince)}`,
      reason: `${e.message} Retrying every second; the data below is from before.`});
  }
}

async function lookAtHealth() {
  let components;
  try {
    ({components} = await call('/actuator/health', {also: [503], patience: 20_000}));
  } catch {
    components = {};
  }
  $('health').replaceChildren(...Object.entries(components).map(([name, {status}]) =>
    make('li', {class: status === 'UP' ? 'good' : 'bad'}, `${name} ${status}`)));
}

const generateIds = () => attempt($('generated'), async () => {
  const ids = await call('/ids?count=10000');
  $('generated').textContent = `${ids[0]} to ${ids.at(-1)}`;
});

export function start() {
  $('generateIds').addEventListener('click', generateIds);
  forever(1_000, look);
  forever(5_000, lookAtHealth);
}
