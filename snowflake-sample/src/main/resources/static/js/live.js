import {$, Away, attempt, call, clock, forever, make, number, say, seconds, span, terms} from './common.js';

const KEPT_RATES = 60;

const rates = [];
let counted = null;
let awaySince = null;

const because = (text, cause) => cause ? `${text} Cause: ${cause}` : text;

/** What the headline says of a generator. It changes with the state only, since it is read out then. */
function judge({lease, issuesIds, reason, workerId}) {
  if (!issuesIds) {
    if (!lease || seconds(lease.remaining) > 0) return {kind: 'bad', word: 'NO IDS', text: `NO IDS: ${reason}`};
    const word = lease.state === 'closed' ? 'CLOSED' : 'EXPIRED';
    return {
      kind: 'bad',
      word,
      text: `${word}: no ids`,
      reason: because('Ids come back by themselves: mend the store, do not restart the shop.', lease.reason)};
  }
  if (!lease) return {kind: 'good', word: 'FIXED', text: `FIXED, worker id ${workerId} never expires`};
  if (lease.state === 'expiring') {
    return {
      kind: 'warn',
      word: 'EXPIRING',
      text: `EXPIRING, ids last until ${clock(lease.idsEndBefore)}`,
      reason: because('Its renewal is tried again, until then and after.', lease.reason)};
  }
  return {kind: 'good', word: 'HELD', text: 'HELD, ids are made', reason: 'The lease is renewed in time.'};
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
  // A shop that was started anew counts from 0.
  if (counted && now.issued >= counted.issued) {
    rates.push((now.issued - counted.issued) * 1000 / (now.at - counted.at));
    if (rates.length > KEPT_RATES) rates.shift();
    $('rate').textContent = number(Math.round(rates.at(-1)));
  }
  counted = now;
  const highest = Math.max(1, ...rates);
  const points = rates.map((rate, i) => `${KEPT_RATES - rates.length + i},${19 - 18 * rate / highest}`);
  $('curve').firstElementChild.setAttribute('points', points.join(' '));
}

const skew = ahead => `${number(Math.round(Math.abs(ahead) * 1000))} ms ${ahead < 0 ? 'behind' : 'ahead'}`;

function showFacts(generator, statistics) {
  const refused = Object.values(statistics.refusals).reduce((sum, count) => sum + count, 0);
  terms($('facts'), [
    ['Worker id', `${generator.workerId} of datacenter ${generator.datacenterId}`],
    ['Worker id from', generator.origin],
    ...(generator.lease ? [
      ['Ids last until', `${clock(generator.lease.idsEndBefore)}, ${span(seconds(generator.lease.remaining))} left`],
      ['Last renewed', clock(generator.lease.renewed)],
      ['Clock of the store', skew(seconds(generator.lease.clockSkew))]] : []),
    ['Ids made', number(statistics.issued)],
    ['Calls refused', number(refused)],
    ['Layout ends', generator.layoutEnds.slice(0, 10)]]);
}

async function look() {
  try {
    const patience = 3_000;
    // Neither of the two asks the store, so they are quick in an outage, too.
    const [health, statistics] = await Promise.all([
      call('/actuator/health/snowflake', {also: [503], patience}), call('/ids/statistics', {patience})]);
    const [generator] = Object.values(health.details);
    awaySince = null;
    $('live').classList.remove('stale');
    showState(judge(generator));
    showLease(generator.lease);
    showRate(statistics);
    showFacts(generator, statistics);
  } catch (e) {
    awaySince ??= Date.now();
    counted = null;
    $('rate').textContent = '–';
    $('left').hidden = true;
    $('live').classList.add('stale');
    const word = e instanceof Away ? 'NO ANSWER' : 'UNKNOWN';
    showState({
      kind: 'away',
      word,
      text: `${word} since ${clock(awaySince)}`,
      reason: `${e.message} It is asked again every second; what is below was seen before.`});
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

const makeIds = () => attempt($('made'), async () => {
  const ids = await call('/ids?count=10000');
  $('made').textContent = `${ids[0]} to ${ids.at(-1)}`;
});

export function start() {
  $('makeIds').addEventListener('click', makeIds);
  forever(1_000, look);
  forever(5_000, lookAtHealth);
}
