import {$, attempt, call, local, make, milliseconds, number, span, terms, utc} from './common.js';

const GREATEST = 2n ** 63n - 1n;

/** Returns typed or pasted text as the shop accepts it. Digits stay text, because a JavaScript number would round them. */
export function idOf(typed) {
  const text = typed.replace(/[\s,_'"]/g, '');
  if (text === '') throw new Error('Enter an ID.');
  if (/^-\d+$/.test(text)) throw new Error(`IDs are not negative, but this is ${text}.`);
  if (/^\d+(\.\d*)?e\+?\d+$/i.test(text)) {
    throw new Error(`${text} has been rounded, by a spreadsheet or by JavaScript. Copy the ID as text from its source.`);
  }
  if (/^\d+$/.test(text)) {
    if (BigInt(text) > GREATEST) throw new Error(`IDs are at most ${GREATEST}, but this is ${text}.`);
    return BigInt(text).toString();
  }
  if (/^[0-9A-Za-z]{12,19}$/.test(text)) return text;
  throw new Error(`An ID is a whole number from 0 to ${GREATEST}, or the public ID of an order, but this is ‘${typed.trim()}’.`);
}

/** Returns the fields and their bits, from the highest bit to the lowest. */
function split(decoded) {
  const bits = BigInt(decoded.id).toString(2).padStart(64, '0');
  const widths = Object.entries(decoded.bits);
  const used = widths.reduce((sum, [, width]) => sum + width, 0);
  let from = 0;
  return [[64 - used === 1 ? 'sign' : 'unused', 64 - used], ...widths]
    .filter(([, width]) => width > 0)
    .map(([name, width]) => ({name, width, bits: bits.slice(from, from += width)}));
}

const bitsInWords = width => width === 1 ? '1 bit' : `${width} bits`;

function explain({name, width, bits}, decoded) {
  const value = BigInt(`0b${bits}`);
  if (name === 'timestamp') {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return [
      utc(decoded.timestamp),
      `${local(decoded.timestamp)}.${milliseconds(decoded.timestamp)} ${zone}`,
      `tick ${number(value)}, ${ago(decoded.timestamp)}`];
  }
  if (name === 'sign' || name === 'unused') return [String(value), 'always 0'];
  return [String(value), `of 0 to ${number(2n ** BigInt(width) - 1n)}`];
}

function ago(instant) {
  const age = (Date.now() - Date.parse(instant)) / 1000;
  if (age < -60) return `${span(-age)} from now: does the ID have another layout?`;
  return age < 2 ? 'just now' : `${span(age)} ago`;
}

function show(decoded) {
  const fields = split(decoded);
  $('sentence').textContent = `${decoded.id} was generated at ${utc(decoded.timestamp)} by worker ${decoded.workerId}`
    + (decoded.bits.datacenter ? ` of datacenter ${decoded.datacenterId}` : '') + `, sequence ${decoded.sequence}.`;
  $('bits').setAttribute('aria-label', '64 bits: ' + fields.map(({name, width}) => `${width} ${name}`).join(', '));
  $('bits').replaceChildren(...fields.flatMap(({name, bits}) =>
    [...bits].map(bit => make('span', {class: `${name} bit${bit}`}, bit))));
  $('fields').replaceChildren(...fields.map(field => {
    const [value, ...more] = explain(field, decoded);
    return make('div', {class: field.name},
      make('dt', {}, field.name, ' ', make('small', {}, bitsInWords(field.width))),
      make('dd', {class: 'value'}, value),
      ...more.map(text => make('dd', {}, text)));
  }));
  terms($('texts'), [
    ['Decimal', decoded.id],
    ['Hexadecimal', decoded.hexadecimal],
    ['Crockford base 32', decoded.crockford],
    ...(decoded.publicId ? [['Public ID', decoded.publicId]] : [])]);
  $('result').hidden = false;
}

async function decode(id, layout) {
  $('id').value = id;
  $('layout').value = layout;
  await attempt($('idProblem'), async () => {
    $('result').hidden = true;
    $('sentence').textContent = '';
    const query = layout ? `?layout=${encodeURIComponent(layout)}` : '';
    const decoded = await call(`/ids/${idOf(id)}${query}`);
    show(decoded);
    // So that the page can be shared or reloaded.
    history.replaceState(null, '', '?' + new URLSearchParams({id: decoded.id, ...(layout && {layout})}));
  });
  $('id').setAttribute('aria-invalid', $('result').hidden);
}

/** Decodes an ID that was selected elsewhere on the page. */
export async function lookInto(id) {
  await decode(id, '');
  $('sentence').focus();
}

const newestOrder = () => attempt($('idProblem'), async () => {
  const {orders: [newest]} = await call('/orders/newest?limit=1');
  if (!newest) throw new Error('There is no order yet. Place the first one below.');
  await decode(newest.id, '');
});

const nextId = () => attempt($('idProblem'), async () => decode((await call('/ids?count=1'))[0], ''));

export function start() {
  $('look').addEventListener('submit', event => {
    event.preventDefault();
    decode($('id').value, $('layout').value);
  });
  $('newestOrder').addEventListener('click', newestOrder);
  $('nextId').addEventListener('click', nextId);
  document.querySelectorAll('[data-id]').forEach(preset =>
    preset.addEventListener('click', () => decode(preset.dataset.id, preset.dataset.layout)));
  const asked = new URLSearchParams(location.search);
  if (asked.has('id')) decode(asked.get('id'), asked.get('layout') ?? '');
  else nextId();
}
