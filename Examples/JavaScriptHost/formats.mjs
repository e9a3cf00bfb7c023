// Readers of three formats that node does not have, or not as strict as hosts need them: JSON, zip, property lists.
import { inflateRawSync } from 'node:zlib';

export const LIMIT = 64 << 20;

/** An answer that is refused, or a failure; `reason` is a word of the vectors. */
export class Refused extends Error {
  constructor(reason, detail = '') {
    super(`${reason}: ${detail}`);
    this.reason = reason;
  }
}

export function check(isTrue, reason, detail) {
  if (!isTrue) throw new Refused(reason, detail);
}

/** The result of a function, whose errors are refusals for a reason. */
export function within(reason, body) {
  try {
    return body();
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(reason, error.message);
  }
}

const utf8 = (data) => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);

/** Strict JSON: UTF-8, each member once, no half of a character. Integers are BigInt: sequences have up to 63 bits. */
export function parse(data) {
  return within('malformedDocument', () => {
    const text = utf8(data);
    JSON.parse(text);
    // The text is JSON. Its tokens say what JSON.parse does not: members that are there twice, and exact integers.
    const tokens = text.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g);
    let next = 0;
    const value = () => {
      const token = tokens[next++];
      if (token === '[' || token === '{') {
        const found = token === '[' ? [] : Object.create(null);
        for (; tokens[next] !== ']' && tokens[next] !== '}'; next += tokens[next] === ',' ? 1 : 0) {
          const name = token === '[' ? found.length : value();
          next += token === '[' ? 0 : 1;
          check(!(name in found), 'malformedDocument', 'a member twice');
          found[name] = value();
        }
        next++;
        return found;
      }
      const plain = JSON.parse(token);
      check(typeof plain !== 'string' || !/\p{Surrogate}/u.test(plain), 'malformedDocument', 'half of a character');
      return /^-?\d{1,20}$/.test(token) ? BigInt(token) : plain;
    };
    return value();
  });
}

/** The files of an archive, by their paths in the bundle. */
export function unpack(zip, folder) {
  return within('bundle', () => {
    const files = new Map();
    const end = zip.length - 22;
    check(zip.readUInt32LE(end) === 0x06054b50 && zip.readUInt16LE(end + 20) === 0, 'bundle', 'its end');
    let at = zip.readUInt32LE(end + 16);
    let expanded = 0;
    for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
      const [flags, method] = [zip.readUInt16LE(at + 8), zip.readUInt16LE(at + 10)];
      const [packed, size, length] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24), zip.readUInt16LE(at + 28)];
      const [kind, local] = [zip.readUInt16LE(at + 40) & 0o170000, zip.readUInt32LE(at + 42)];
      const [name, again] = [zip.subarray(at + 46, at + 46 + length), zip.subarray(local + 30, local + 30 + length)];
      check(zip.readUInt32LE(at) === 0x02014b50 && zip.readUInt32LE(local) === 0x04034b50, 'bundle', 'an entry');
      check(name.equals(again) && zip.readUInt16LE(local + 26) === length, 'bundle', 'two names');
      at += 46 + length + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
      const inside = utf8(name).startsWith(`${folder}.bundle/`) && utf8(name).slice(folder.length + 8);
      check(inside !== false && !files.has(inside) && !(flags & 1), 'bundle', utf8(name));
      // Archives have the folders too.
      if ((inside === '' || inside.endsWith('/')) && size === 0 && [0, 0o040000].includes(kind)) continue;
      check([0, 0o100000].includes(kind) && [0, 8].includes(method), 'bundle', inside);
      check(size <= LIMIT && (expanded += size) <= 4 * LIMIT, 'bundle', 'its files are too large');
      const first = local + 30 + length + zip.readUInt16LE(local + 28);
      const data = zip.subarray(first, first + packed);
      files.set(inside, method ? inflateRawSync(data, { maxOutputLength: size || 1 }) : data);
    }
    check(at === end, 'bundle', 'its list of entries');
    return files;
  });
}

/** The texts among the members of a property list in XML. */
function xmlTexts(text) {
  const found = Object.create(null);
  const entities = { __proto__: null, lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
  const head = /^\s*(?:<\?xml[^>]*\?>)?\s*(?:<!DOCTYPE[^>[]*>)?\s*<plist[^>]*>\s*<dict>/;
  const tail = /<\/dict>\s*<\/plist>\s*$/;
  check(head.test(text) && tail.test(text), 'bundle', 'Info.plist is not a dictionary');
  const body = text.replace(head, '').replace(tail, '');
  let depth = 0;
  let key = null;
  for (const [, name, slash, inner] of body.matchAll(/<!--[\s\S]*?-->|<(\/?[a-z]+)\s*(\/?)>([^<]*)/g)) {
    const entity = (_, known) => entities[known] ?? check(false, 'bundle', `the entity ${known}`);
    const plain = slash ? '' : inner?.replace(/&(\w+);/g, entity);
    if (/^\/(dict|array)$/.test(name)) depth -= 1;
    if (depth === 0 && name === 'key') {
      check(!(plain in found), 'bundle', `${plain} twice`);
      found[(key = plain)] = null;
    }
    if (depth === 0 && name === 'string' && key !== null) found[key] = plain;
    if (/^(dict|array)$/.test(name) && !slash) depth += 1;
    check(depth >= 0, 'bundle', 'Info.plist');
  }
  return found;
}

/** The texts among the members of a property list in its binary form. */
function binaryTexts(data) {
  const end = data.length - 32;
  const [wide, reference] = [data[end + 6], data[end + 7]];
  const place = (number) => data.readUIntBE(Number(data.readBigUInt64BE(end + 24)) + number * wide, wide);
  const head = (at) => {
    if ((data[at] & 15) < 15) return [data[at] & 15, at + 1];
    const size = 1 << (data[at + 1] & 15);
    return [data.readUIntBE(at + 2, size), at + 2 + size];
  };
  const text = (at) => {
    const [[count, first], kind] = [head(at), data[at] >> 4];
    if (kind === 5) return data.toString('latin1', first, first + count);
    return kind === 6 ? Buffer.from(data.subarray(first, first + 2 * count)).swap16().toString('utf16le') : null;
  };
  const [top, found] = [place(Number(data.readBigUInt64BE(end + 16))), Object.create(null)];
  check(data[top] >> 4 === 13, 'bundle', 'Info.plist is not a dictionary');
  const [count, first] = head(top);
  for (let n = 0; n < count; n++) {
    const [key, value] = [n, n + count].map((m) => text(place(data.readUIntBE(first + m * reference, reference))));
    check(key !== null && !(key in found), 'bundle', `${key} twice`);
    found[key] = value;
  }
  return found;
}

/** The texts among the members of a property list, `null` for other values. */
export function texts(data) {
  const isBinary = data.toString('latin1', 0, 8) === 'bplist00';
  return within('bundle', () => (isBinary ? binaryTexts(data) : xmlTexts(utf8(data))));
}
